"""What the controller refuses before it evaluates: limits, syntax, types, the program."""
