"""What the language server offers: diagnostics, hover, completion, code actions, code lenses."""
