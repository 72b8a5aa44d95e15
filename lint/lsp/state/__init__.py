"""What the language server holds: documents, their analysis, settings, health tests."""
