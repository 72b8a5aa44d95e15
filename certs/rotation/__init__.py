"""When certificates are renewed and replaced."""
