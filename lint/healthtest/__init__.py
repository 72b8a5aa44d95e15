"""Health tests: what a controller says of fixture objects, and what it should say.

`reading` (a file of tests, with all that it names), `run` (case by case, while
time goes on), `results` and `output`.
"""
