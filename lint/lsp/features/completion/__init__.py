"""What can be written at the cursor: words of an expression, keys and values of YAML.

`context` tells where the cursor is, in a text that is seldom whole; `expression`
and `keys` know what fits there.
"""
