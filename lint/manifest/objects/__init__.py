"""The Kubernetes objects of a document: list items, patches, resources of a ResourceSet."""
