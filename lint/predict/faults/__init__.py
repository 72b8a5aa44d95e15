"""What misleads about an entry, each fault with the object that proves it."""
