"""What can be written at the cursor: words of an expression, keys and values of YAML.

`cursor` finds where the cursor is, in a text that is rarely valid YAML, and `context` the object
there; `expression` and `keys` propose what fits.
"""
