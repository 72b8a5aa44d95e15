"""Health check entries for kinds: from the catalogue, or derived from a CRD or from objects.

`kind_names` finds the kind that a user means, `from_catalog` and `derived` make the suggestion,
`health_test` its proof, `waited_kinds` finds the kinds that manifests wait for. `output` has a
module for each format.
"""
