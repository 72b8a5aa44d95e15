"""Flux's post-build substitution of `${VAR}`."""
