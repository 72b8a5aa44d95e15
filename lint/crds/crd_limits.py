"""Limits on what is read to find CRDs; all sizes in bytes."""

from __future__ import annotations

TAR = (".tar", ".tar.gz", ".tgz")
ARCHIVES = (*TAR, ".zip")
"""The endings of the names of readable archives."""

MAX_FILE = 64 * 2**20
"""Size of one file, packed or not; the bundles of the largest providers have about 40 MB."""

MAX_UNPACKED = 256 * 2**20
"""The unpacked size of an archive, including members without CRDs."""

MAX_KEPT = 128 * 2**20
"""Documents with CRDs that are kept in memory, unparsed."""

MAX_FILES = 20_000
"""Files of a directory, or members of an archive."""

MAX_DOWNLOAD = 16 * 2**20
"""One schema of a schema location; those of Kubernetes itself have less than 2 MB."""
