"""Flux's post-build substitution: a shell-like expansion of `${VAR}`.

Follows `github.com/fluxcd/pkg/envsubst` 1.8.0, the fork of `drone/envsubst` that
the kustomize-controller runs over each object after the build, oddities included:
`$$` is `$`, `${v-d}` is refused, `${v:+x}` and `${v:?x}` are defaults like `${v:=x}`.
"""
