"""The language server.

A module or package imports only what comes after it:

- `command` (argv in) starts `server`, which connects the methods of the protocol;
- `requests` answers, `commands` does what a lens starts, `watching` publishes diagnostics;
- `protocol_types` and `client` know the client's capabilities;
- `features` computes the answers, from plain values and in the caller's thread;
- `state` has the open files, the results for their documents, and the configuration.
"""
