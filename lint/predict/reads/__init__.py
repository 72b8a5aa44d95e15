"""What expressions read of an object, and what they compare it with."""
