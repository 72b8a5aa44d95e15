"""The verdicts of a check over the life of an object, as a page.

`pages` builds them from the stock states of `celvet.lint.predict` and the findings
of the rules, `output` writes them.
"""
