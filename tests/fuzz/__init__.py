"""Fuzzing by hand and in CI: `python -m tests.fuzz`, or `make fuzz`.

`differential` asks the controllers' own code, in Go, about expressions and objects that are made
from recorded ones; `tests.fuzz.oracle` builds that code. `readers` gives damaged files to all that
reads a file, `parts` damaged reviews, policies and certificates to the webhook.
"""
