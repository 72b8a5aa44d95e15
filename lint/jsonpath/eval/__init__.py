"""What a template gives on a value, and how it is printed."""
