"""Health tests: the verdicts of a controller on fixture objects, and the expected ones.

`read` loads a file of tests with all files that it names, `run` runs its cases in simulated time,
`scaffold` writes a first test, `output` has the report formats.
"""
