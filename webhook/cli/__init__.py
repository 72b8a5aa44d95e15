"""`celvet serve`: the command and its options."""
