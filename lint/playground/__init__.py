"""A local page on which expressions are tried: `celvet playground`."""
