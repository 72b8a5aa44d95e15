"""Lints the builds of an installed kustomize or flux, and traces findings back to the files.

From top to bottom; a module imports only from those below it:

    findings  lints the output, and moves the findings to the files that it was made from
    overlays  what to build for each Flux Kustomization, as a kustomization in a temporary directory
    program   runs the renderer, bounded in time and output
"""
