"""Follows `kustomize build` for one object, without running it.

Only the parts that can change the objects that celvet reads: names, namespaces, labels,
annotations, patches and replacements, in kustomize's order. Mirrors kustomize 5.8
(`api/internal/target`, `api/internal/builtins`, `kyaml/yaml/merge2`), and is compared with the
program itself by the vectors in `tests/kustomize`. Whatever it cannot follow raises
`KustomizeError` or marks a field as unknown; nothing is guessed.
"""
