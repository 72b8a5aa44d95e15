"""Why kustomize or Flux builds nothing of a directory."""
