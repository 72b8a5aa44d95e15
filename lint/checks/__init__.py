"""The model of a check: an object with its expressions compiled, found from the catalogue."""
