"""What an entry will say along the life of an object, as a page to read.

`pages` makes them from the stock states of `celvet.lint.predict` and the findings of
the rules, `output` writes them.
"""
