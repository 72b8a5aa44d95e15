"""HTTP: reads a request, answers it, bounds connections."""
