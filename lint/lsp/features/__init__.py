"""What the language server offers: diagnostics, hover, completion, actions, lenses."""
