"""Why a build ends."""

from __future__ import annotations


class BuildError(ValueError):
    """What kustomize refuses, or what is not followed here; the text is for people."""
