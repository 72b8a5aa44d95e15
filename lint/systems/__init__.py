"""What each controller would say of an object: one module a system, unaware of each other."""
