"""The object on which an evaluation takes longest, of those that are tried."""
