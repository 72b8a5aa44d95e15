"""The real kustomize-controller beside the API server: what it says of each recorded case again."""
