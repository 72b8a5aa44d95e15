"""What celvet knows of each kind, as data: JSON Schemas that mark their expressions."""
