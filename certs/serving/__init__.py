"""The certificate of a running server, which changes while it runs."""
