"""Builds of directories: which files they have, what their objects pass, and what is refused.

From top to bottom:

    builder       follows a kustomization, or lists the files of a directory without one
    accumulation  the names that lead nowhere
    readings      the kustomizations that kustomize cannot read
    build         the files, and the transformers of each
"""
