"""The names in a kustomization, and where they lead."""
