"""The cluster's CRDs: stored, and kept current by a watch."""
