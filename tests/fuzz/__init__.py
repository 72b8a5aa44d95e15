"""Fuzzing by hand and in CI: `python -m tests.fuzz`, or `make fuzz`.

`differential` compares celvet with the controllers' own Go code, which `tests.fuzz.oracle` builds,
on expressions and objects derived from recorded ones. `readers` feeds damaged files to everything
that reads a file, `parts` feeds damaged reviews, policies and certificates to the webhook.
"""
