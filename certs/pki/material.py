"""Converts a bundle to the named texts of a Secret, and back.

| name          | what it is                                                          |
|---------------|---------------------------------------------------------------------|
| `tls.crt`     | serving certificate                                                 |
| `tls.key`     | its key                                                             |
| `ca.crt`      | all trusted authorities, which the published `caBundle` must have   |
| `ca.key`      | key of the one that signs                                           |
| `next-ca.key` | key of the one that will sign next, if any                          |
| `state.json`  | when the next one was announced, until when the others are trusted   |

Nothing is written twice, so that no two parts can contradict each other: the role of a certificate
in `ca.crt` follows from the key that belongs to it. The first three names are those that
`kubernetes.io/tls` Secrets and cert-manager use, so cert-manager's injector can publish `ca.crt`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

from cryptography import x509

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.authority import is_authority
from celvet.certs.pki.bundle import Bundle, Incoming, Retired
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.verification import stamp

Material: TypeAlias = Mapping[str, bytes]
"""Texts by name."""

CERTIFICATE = "tls.crt"
KEY = "tls.key"
AUTHORITIES = "ca.crt"
_SIGNER_KEY = "ca.key"
_NEXT_KEY = "next-ca.key"
_STATE = "state.json"
ENTRIES = (CERTIFICATE, KEY, AUTHORITIES, _SIGNER_KEY, _NEXT_KEY, _STATE)

_STATE_VERSION = 1


@dataclass(slots=True)
class _Reading:
    """The texts being read, and the problems found in them."""

    material: Material
    problems: list[str] = field(default_factory=list)

    def problem(self, entry: str, why: object) -> None:
        self.problems.append(f"`{entry}` is damaged: {why}")


def encode(bundle: Bundle) -> dict[str, bytes]:
    """The texts of a bundle; parts that are missing have none."""
    texts: dict[str, bytes] = {AUTHORITIES: bundle.ca_bundle, _STATE: _encode_state(bundle)}
    if bundle.serving:
        texts |= {CERTIFICATE: bundle.serving.certificate_pem, KEY: bundle.serving.key}
    if bundle.signer:
        texts[_SIGNER_KEY] = bundle.signer.key
    if bundle.incoming:
        texts[_NEXT_KEY] = bundle.incoming.authority.key
    return texts


def is_foreign(material: Material) -> bool:
    """Whether the texts are certificates that celvet did not write."""
    # celvet always writes one of these two.
    ours = _SIGNER_KEY in material or _STATE in material
    return not ours and any(entry in material for entry in ENTRIES)


def decode(material: Material) -> tuple[Bundle, tuple[str, ...]]:
    """The bundle in the texts, and what is damaged in them, each with the reason.

    A damaged part counts as missing, and the rest is used. A missing part is not damage: renewal
    decides what to do about it. For a missing time, the latest possible one is assumed, so that no
    authority is dropped or signs too early. Never raises.
    """
    reading = _Reading(material)
    authorities = list(_authorities(reading))
    signer = _claim(reading, _SIGNER_KEY, authorities)
    following = _claim(reading, _NEXT_KEY, authorities)
    state = _state(reading)
    bundle = Bundle(
        serving=_serving(reading),
        signer=signer,
        incoming=Incoming(following, _moment(state.get("announced"))) if following else None,
        retired=tuple(_retired_authorities(authorities, state.get("retired"))),
    )
    return bundle, tuple(reading.problems)


def _encode_state(bundle: Bundle) -> bytes:
    time = bundle.incoming.announced if bundle.incoming else None
    state = {
        "version": _STATE_VERSION,
        "announced": stamp(time) if time else None,
        "retired": {pem.sha256(old.certificate): stamp(old.until) for old in bundle.retired},
    }
    return json.dumps(state, indent=1).encode() + b"\n"


def _authorities(reading: _Reading) -> Iterator[x509.Certificate]:
    text = reading.material.get(AUTHORITIES, b"")
    blocks = list(dict.fromkeys(pem.split_certificates(text)))
    if text and not blocks:
        reading.problem(AUTHORITIES, "there is no PEM certificate in it")
    for block in blocks:
        try:
            certificate = pem.read_certificate(block)
        except UnusableError as error:
            reading.problem(AUTHORITIES, error)
            continue
        if is_authority(certificate):
            yield certificate
        else:
            reading.problem(AUTHORITIES, "it holds a certificate that may not sign others")


def _claim(reading: _Reading, entry: str, authorities: list[x509.Certificate]) -> Pair | None:
    """The authority that a key belongs to, taken out of the list."""
    text = reading.material.get(entry)
    if text is None:
        return None
    try:
        key = pem.read_key(text)
    except UnusableError as error:
        reading.problem(entry, error)
        return None
    for certificate in authorities:
        if pem.belongs(key, certificate):
            authorities.remove(certificate)
            return Pair.of(certificate, key)
    reading.problem(entry, f"the private key belongs to no certificate of `{AUTHORITIES}`")
    return None


def _serving(reading: _Reading) -> Pair | None:
    certificate, key = (reading.material.get(entry, b"") for entry in (CERTIFICATE, KEY))
    if not certificate and not key:
        return None
    try:
        return Pair.read(certificate, key)
    except UnusableError as error:
        reading.problem(f"{CERTIFICATE}` or `{KEY}", error)
        return None


def _state(reading: _Reading) -> dict[str, Any]:
    text = reading.material.get(_STATE)
    if text is None:
        return {}
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        state = None
    if isinstance(state, dict) and state.get("version") == _STATE_VERSION:
        return state
    reading.problem(_STATE, "this version writes it differently")
    return {}


def _retired_authorities(authorities: list[x509.Certificate], until: Any) -> Iterator[Retired]:
    times = until if isinstance(until, dict) else {}
    for certificate in authorities:
        end = certificate.not_valid_after_utc
        moment = _moment(times.get(pem.sha256(certificate)))
        yield Retired(certificate, min(moment, end) if moment else end)


def _moment(text: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None
