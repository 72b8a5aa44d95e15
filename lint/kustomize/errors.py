"""The errors that end a build."""

from __future__ import annotations


class KustomizeError(ValueError):
    """An input that kustomize rejects, or that is not followed here; the text is for people."""


class RefusedChangeError(KustomizeError):
    """A patch that cannot be read, or a change that does not fit its object: the build fails."""


class MissingSourceError(KustomizeError):
    """A replacement whose source lacks the field, so that the whole build fails."""


class AbsentSourceError(KustomizeError):
    """A replacement whose source is no object of the build, so that the whole build fails."""
