"""Packages that load a name on first use."""

from __future__ import annotations

import pytest

from celvet.lint import cel, manifest


@pytest.mark.parametrize("package", [cel, manifest])
def test_a_name_that_a_package_does_not_have(package: object) -> None:
    with pytest.raises(AttributeError, match=r"^module '[\w.]+' has no attribute 'nothing'$"):
        _ = package.nothing  # type: ignore[attr-defined]
