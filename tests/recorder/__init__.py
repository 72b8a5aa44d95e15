"""Records what operators write into the status of their objects, on an API server without nodes.

    python -m tests.recorder --programs DIRECTORY --sources DIRECTORY OPERATOR...

Each file of `operators/` says which program to run and what to apply, step by step. `--programs`
has the control plane of `make e2e` and the operator, which `go build` makes of its repository, and
`--sources` the repositories for the CRDs. The states are printed in the form of
`tests/kinds/independent`, with the verdict of our entry: a person compares that with what was done.
"""
