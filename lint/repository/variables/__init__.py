"""The variables of Flux's post-build substitution: a Kustomization's, and what they replace."""
