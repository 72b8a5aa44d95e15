"""Turns the text of a document into nodes and values, with their positions."""
