"""An inspection as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from celvet.certs.cli.inspection import BundleInspection, CertificateFacts
from celvet.certs.pki import pem
from celvet.certs.pki.verification import stamp

_JSON_VERSION = 1


def as_text(inspection: BundleInspection) -> Iterator[str]:
    """Lines for people: the serving certificate, the authorities, what is wrong.

    Control characters are replaced: the names in a certificate may contain any.
    """
    for line in _lines(inspection):
        yield "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


def as_json(inspection: BundleInspection, changes: Sequence[str] | None = None) -> dict[str, Any]:
    """JSON for programs; a new key is compatible, a renamed one needs a new version.

    `changes` lists what a command that writes has changed.
    """
    document: dict[str, Any] = {
        "version": _JSON_VERSION,
        "serving": _certificate(inspection.serving) if inspection.serving else None,
        "chain": _check(inspection.chain),
        "key": _check(inspection.key),
        "authorities": [_certificate(facts) for facts in inspection.authorities],
        "problems": list(inspection.problems),
    }
    return document if changes is None else {**document, "changes": list(changes)}


def _lines(inspection: BundleInspection) -> Iterator[str]:
    if inspection.serving:
        yield "serving certificate"
        yield from _certificate_lines(inspection.serving)
        yield f"  chain     {_verdict(inspection.chain)}"
        yield f"  key       {inspection.serving.key_kind}, {_key_verdict(inspection.key)}"
    for facts in inspection.authorities:
        yield "authority" + (f" ({facts.role})" if facts.role else "")
        yield from _certificate_lines(facts)
        yield f"  key       {facts.key_kind}"
    for problem in inspection.problems:
        yield f"problem: {problem}"


def _certificate_lines(facts: CertificateFacts) -> Iterator[str]:
    certificate = facts.certificate
    begin, end = map(stamp, (certificate.not_valid_before_utc, certificate.not_valid_after_utc))
    yield f"  subject   {certificate.subject.rfc4514_string()}"
    if facts.names:
        yield f"  names     {', '.join(facts.names)}"
    yield f"  issuer    {certificate.issuer.rfc4514_string()}"
    yield f"  valid     {begin} to {end} ({facts.days_left} days left)"
    yield f"  serial    {certificate.serial_number:x}"
    yield f"  sha256    {pem.sha256(certificate)}"


def _verdict(problem: str | None) -> str:
    if problem is None:
        return "not checked: no authority"
    return problem or "ok"


def _key_verdict(problem: str | None) -> str:
    if problem is None:
        return "no private key"
    return problem or "the private key matches"


def _check(problem: str | None) -> dict[str, Any] | None:
    return None if problem is None else {"ok": not problem, "reason": problem or None}


def _certificate(facts: CertificateFacts) -> dict[str, Any]:
    certificate = facts.certificate
    return {
        "subject": certificate.subject.rfc4514_string(),
        "names": list(facts.names),
        "issuer": certificate.issuer.rfc4514_string(),
        "serial": f"{certificate.serial_number:x}",
        "notBefore": stamp(certificate.not_valid_before_utc),
        "notAfter": stamp(certificate.not_valid_after_utc),
        "daysLeft": facts.days_left,
        "publicKey": facts.key_kind,
        "sha256": pem.sha256(certificate),
        "role": facts.role,
    }
