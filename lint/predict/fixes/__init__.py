"""Rewrites that remove a fault, proved on the stock states and more."""
