"""What is wrong with a check, each fault with the object that proves it."""
