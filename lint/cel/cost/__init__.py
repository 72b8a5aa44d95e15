"""An upper bound of the time and memory that an evaluation takes."""
