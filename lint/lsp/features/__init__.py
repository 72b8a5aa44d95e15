"""The features of the server: diagnostics, hover, completion, code actions, code lenses."""
