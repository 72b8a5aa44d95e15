"""The engine, its command line and its language server.

The import is cheap: the CEL engine and the front ends are loaded by the call that needs them.
"""
