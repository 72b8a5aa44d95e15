"""What is read to find CRDs, and how much of it; all sizes in bytes."""

from __future__ import annotations

TAR = (".tar", ".tar.gz", ".tgz")
ARCHIVES = (*TAR, ".zip")
"""How the names of archives end whose members are read."""

MAX_FILE = 64 * 2**20
"""Size of one file, packed or not; the bundles of the largest providers have about 40 MB."""

MAX_UNPACKED = 256 * 2**20
"""What an archive may unpack to, members without CRDs included."""

MAX_KEPT = 128 * 2**20
"""Documents with CRDs that are kept in memory, unparsed."""

MAX_FILES = 20_000
"""Files of a directory, or members of an archive."""

MAX_DOWNLOAD = 16 * 2**20
"""One schema of a schema location; those of Kubernetes itself have less than 2 MB."""
