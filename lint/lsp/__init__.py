"""The language server: what celvet knows of a manifest, while it is written.

`command` (argv in) starts `server` (the wiring, all of pygls). `documents` keeps
the open texts and what `analysis` says of each of their YAML documents; `settings`
the configuration. What is asked for is answered by `diagnostics`, `hover`,
`completion`, `actions` and `lenses`, from plain values and in no thread of their own.
"""
