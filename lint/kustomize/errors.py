"""Why a build ends."""

from __future__ import annotations


class KustomizeError(ValueError):
    """What kustomize refuses, or what is not followed here; the text is for people."""
