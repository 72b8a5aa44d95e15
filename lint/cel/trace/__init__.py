"""What each part of an expression gave, and why an evaluation failed."""
