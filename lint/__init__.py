"""The engine, its command line and its language server.

Importing this package costs nothing: the CEL engine and the
frontends are loaded by the call that needs them.
"""
