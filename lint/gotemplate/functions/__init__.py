"""The functions that a template may call: `library` has all of them, by name."""
