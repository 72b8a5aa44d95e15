"""How Go writes and reads numbers, strings and regular expressions."""
