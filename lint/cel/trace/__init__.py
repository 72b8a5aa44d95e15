"""The outcome of each part of an expression, and why an evaluation failed."""
