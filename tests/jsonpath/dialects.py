"""The dialects that the tables beside name."""

from __future__ import annotations

from celvet.schemas.dialect import Dialect

DIALECTS = {
    "none": Dialect("plain", "jsonpath", "as it stands, keys demanded"),
    "cartographer": Dialect(
        "cartographer", "jsonpath", "", wrap="cartographer", missing=True, single=True
    ),
    "kubectl": Dialect("rukpak", "jsonpath", "", wrap="kubectl", missing=True, single=True),
}
"""One dialect for each style of completion."""
