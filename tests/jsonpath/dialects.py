"""The dialects that the tables in this folder name."""

from __future__ import annotations

from celvet.schemas import Dialect, load

DIALECTS = {
    "none": Dialect("plain", "jsonpath", "as it stands, keys demanded"),
    "ends": load().dialects["cartographer"],
    "relaxed": Dialect("rukpak", "jsonpath", "", wrap="relaxed", missing=True, single=True),
}
"""One dialect for each style of completion."""
