"""Decides which fault, or finding, stands for a cause, and so why there is no other one.

Two tables say what excludes what, and why. `faults.FAULTS` is about one check, while it is
predicted: what cannot be reported is not even searched for. `findings.FINDINGS` is about the
findings of a file, of all rules. The rows of a table apply in order, each to what the rows before
it have left.

Findings with low confidence are left out as well. `celvet explain` shows nearly all findings.
"""
