"""Bundles as texts: there and back, and back from damaged ones."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import ENTRIES, decode, encode, is_foreign
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import announce, begin_rotation, renew
from tests.certs.acceptance import verifies
from tests.certs.virtual_time import START
from tests.tables import read_table

NAME = "webhook.celvet.svc"
NAMES = Names.parse([NAME])
POLICY = RenewalPolicy()
NOW = START + timedelta(hours=4)


def _full_bundle() -> Bundle:
    """One with every part: rotated once, and in the middle of the next rotation."""
    bundle = renew(Bundle(), START, POLICY, NAMES).bundle
    for hour in (0, 2):
        at = START + timedelta(hours=hour)
        bundle = announce(begin_rotation(bundle, at, POLICY).bundle, at)
        if hour == 0:
            bundle = renew(bundle, START + POLICY.propagation, POLICY, NAMES).bundle
    return bundle


BUNDLE = _full_bundle()
# Announced two hours ago it would be due: put off, so that only the damage has effects.
LATER = announce(BUNDLE, NOW, anew=True)
TEXTS = encode(LATER)
STRANGER = encode(renew(Bundle(), START, POLICY, NAMES).bundle)
CASES = read_table(Path(__file__).parent / "damage.yaml")
BROKEN = b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
CONTENTS = {
    **TEXTS,
    "garbage": b"\x00\xff not PEM",
    "broken-block": BROKEN,
    "stranger.crt": STRANGER["tls.crt"],
    "stranger.key": STRANGER["tls.key"],
    "deep": b"[" * 100_000,
    "later": b'{"version": 2}',
    "wrong-types": b'{"version": 1, "announced": 7, "retired": ["x"]}',
}


def test_the_bundle_of_these_tests_has_every_part() -> None:
    assert LATER.serving
    assert LATER.signer
    assert LATER.incoming
    assert LATER.retired
    assert set(TEXTS) == set(ENTRIES)


def test_there_and_back() -> None:
    assert decode(TEXTS) == (LATER, ())
    assert encode(decode(TEXTS)[0]) == TEXTS


def test_an_empty_bundle_is_not_damaged() -> None:
    assert decode({}) == (Bundle(), ())


def test_the_authorities_are_the_ca_bundle() -> None:
    assert TEXTS["ca.crt"] == LATER.ca_bundle
    assert TEXTS["ca.crt"].count(b"BEGIN CERTIFICATE") == 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_damage(case: dict[str, Any]) -> None:
    texts = {name: text for name, text in TEXTS.items() if name not in case.get("remove", [])}
    texts |= {name: CONTENTS[content] for name, content in case.get("set", {}).items()}
    bundle, problems = decode(texts)
    renewal = renew(bundle, NOW, POLICY, NAMES)
    assert_lines(problems, case["problems"])
    assert_lines(renewal.reasons, case["reasons"])
    serving = renewal.bundle.serving
    assert serving
    assert verifies(serving.certificate, renewal.bundle.trusted, NAME, NOW)
    assert verifies(serving.certificate, LATER.trusted, NAME, NOW) is case["stale"]
    assert _kept(renewal.bundle) == case["kept"]


def assert_lines(lines: tuple[str, ...], expected: list[str]) -> None:
    """Each line contains its expected part, in this order, and there are no others."""
    assert len(lines) == len(expected), lines
    for line, part in zip(lines, expected, strict=True):
        assert part in line


def _kept(bundle: Bundle) -> list[str]:
    """Which parts are still those of the undamaged bundle."""
    incoming = (bundle.incoming and bundle.incoming.authority) == (
        LATER.incoming and LATER.incoming.authority
    )
    same = {
        "serving": bundle.serving == LATER.serving,
        "signer": bundle.signer == LATER.signer,
        "incoming": incoming,
    }
    return [part for part, kept in same.items() if kept]


@given(
    st.dictionaries(
        st.sampled_from(ENTRIES),
        st.one_of(st.none(), st.binary(max_size=80), st.sampled_from(sorted(CONTENTS))),
        max_size=len(ENTRIES),
    )
)
def test_whatever_is_stored_becomes_a_bundle_that_serves(
    damage: dict[str, bytes | str | None],
) -> None:
    texts: dict[str, bytes] = dict(TEXTS)
    for name, content in damage.items():
        texts.pop(name)
        if content is not None:
            texts[name] = CONTENTS[content] if isinstance(content, str) else content
    bundle = renew(decode(texts)[0], NOW, POLICY, NAMES).bundle
    assert bundle.serving
    assert verifies(bundle.serving.certificate, bundle.trusted, NAME, NOW)
    assert decode(encode(bundle)) == (bundle, ())
    assert renew(bundle, NOW, POLICY, NAMES).bundle == bundle


@pytest.mark.parametrize(
    ("entries", "foreign"),
    [
        ([], False),
        (["tls.crt", "tls.key"], True),
        (["tls.crt", "tls.key", "ca.crt"], True),
        (["tls.crt", "tls.key", "ca.crt", "ca.key"], False),
        (["tls.crt", "tls.key", "ca.crt", "state.json"], False),
    ],
)
def test_certificates_of_others_are_known_by_what_they_lack(
    entries: list[str], foreign: bool
) -> None:
    assert is_foreign({entry: TEXTS[entry] for entry in entries}) is foreign
