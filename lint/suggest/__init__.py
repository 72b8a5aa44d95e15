"""Health check entries for a kind: from the catalogue, or derived from a CRD or from objects.

`named` finds the kind that a user means, `known` and `derived` make the suggestion, `health_test`
its proof, `waited` the kinds that manifests wait for. `output` has a module for each format.
"""
