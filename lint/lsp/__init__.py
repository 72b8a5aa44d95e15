"""The language server.

A module or package imports only what comes after it:

- `command` (argv in) starts `server`, which connects the methods of the protocol;
- `requests` answers, `watching` publishes diagnostics;
- `rendering` and `client` know the client's capabilities;
- `features` has what can be asked for, from plain values and in no thread of its own;
- `state` has the open files, the results for their documents, and the configuration.
"""
