"""What repositories are made of: kinds that apply, hold and define others."""
