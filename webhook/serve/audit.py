"""The stored objects that would be denied if they were written again.

A webhook sees only what is written. Who switches to `deny` wants to know first what is there
already, so each stored object is judged like a new one, under the policy of the server.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import TypeAlias

from celvet.certs.clock import Clock
from celvet.lint.model import ObjectRef
from celvet.lint.resourceset.inputs import selects
from celvet.lint.values import list_at, mapping_at, object_ref_of, text_at
from celvet.lint.why.inputs.api import ApiResource, ClusterError, JsonObject, UnservedError
from celvet.lint.why.reports.documents import report_documents, resource_of
from celvet.lint.why.reports.writing import WritingApi, write_reports
from celvet.schemas import Catalog
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.review import API_VERSION, Review, peek
from celvet.webhook.judgement import FindingRecord
from celvet.webhook.metrics import Metrics

_log = logging.getLogger(__name__)

_INTERVAL = 3600.0
_RETRY = 60.0
_MOST_LINES = 100
"""Objects of one audit that are logged; the reports and the metric have all of them."""

_REPORT = "admission"
_CONFIGURATION = ApiResource(
    "admissionregistration.k8s.io",
    "v1",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
    namespaced=False,
)
_NAMESPACE = ApiResource("", "v1", "Namespace", "namespaces", namespaced=False)

_Decide: TypeAlias = Callable[[bytes, Review], Awaitable[tuple[Review, AdmissionDecision]]]
_Denied: TypeAlias = Mapping[ObjectRef, tuple[FindingRecord, ...]]


class StoredObjectsAudit:
    """Judges what a ValidatingWebhookConfiguration covers, once an hour.

    Sets metrics, logs each object that would be denied when that is new, and writes reports of the
    group `reports` if there is one.
    """

    def __init__(  # noqa: PLR0913 - the parts of an audit
        self,
        api: WritingApi,
        configuration: str,
        catalog: Catalog,
        decide: _Decide,
        metrics: Metrics,
        *,
        reports: str = "",
        clock: Clock | None = None,
    ) -> None:
        self._api = api
        self._configuration = configuration
        self._catalog = catalog
        self._decide = decide
        self._metrics = metrics
        self._reports = reports
        self._clock = clock or Clock()
        self._last: _Denied = {}
        self._problem = ""

    async def run(self) -> None:
        """Audit, wait, and audit again, until cancelled."""
        while True:
            problem = ""
            try:
                await self._audit()
            except ClusterError as error:
                problem = str(error)
                if problem != self._problem:
                    _log.error("the stored objects cannot be judged: %s", problem)
            self._problem = problem
            await self._clock.sleep(_RETRY if problem else _INTERVAL)

    async def _audit(self) -> None:
        errors_by_ref: dict[ObjectRef, tuple[FindingRecord, ...]] = {}
        verdicts: Counter[str] = Counter()
        objects = self._objects()
        while (obj := await asyncio.to_thread(next, objects, None)) is not None:
            verdict, errors = await self._judge(obj)
            verdicts[verdict] += 1
            if errors:
                errors_by_ref[object_ref_of(obj)] = errors
        counts = Counter((str(object_.group_kind), object_.namespace) for object_ in errors_by_ref)
        self._metrics.set_stored_objects(verdicts, counts, self._clock.now().timestamp())
        self._log(errors_by_ref, verdicts.total())
        self._last = errors_by_ref
        if self._reports:
            await asyncio.to_thread(self._write, errors_by_ref)

    async def _judge(self, obj: JsonObject) -> tuple[str, tuple[FindingRecord, ...]]:
        """The verdict on an object if it were created now, and the errors that deny it."""
        body = _review_of(obj)
        try:
            _, decision = await self._decide(body, peek(body))
        except Exception as error:  # a bug, or a process that died: the next object may be judged
            fields = {"object": str(object_ref_of(obj)), "reason": f"{error}"[:500]}
            _log.error("a stored object cannot be judged", extra={"fields": fields})
            return "unjudged", ()
        return decision.verdict, (*decision.denials, *decision.would_deny)

    def _objects(self) -> Iterator[JsonObject]:
        """The covered objects, in pages."""
        configuration = self._api.get(_CONFIGURATION, "", self._configuration)
        if configuration is None:
            raise ClusterError(f"there is no {_CONFIGURATION.kind} `{self._configuration}`")
        webhooks = list_at(configuration, ("webhooks",))
        namespaces = {
            text_at(namespace, ("metadata", "name")): _labels(namespace)
            for namespace in self._api.list(_NAMESPACE)
        }
        versions = {(kind.group, kind.kind): kind.versions for kind in self._catalog.kinds}
        for kind in self._catalog.served_kinds:
            senders = [sender for sender in webhooks if _has_rule(sender, kind.group, kind.plural)]
            # A kind that only holds others has no schema, and so no versions.
            for version in versions.get((kind.group, kind.kind), ("v1",)) if senders else ():
                resource = ApiResource(kind.group, version, kind.kind, kind.plural)
                with suppress(UnservedError):
                    for obj in self._api.list(resource):
                        if any(_selects(sender, obj, namespaces) for sender in senders):
                            yield obj
                    break

    def _log(self, denied: _Denied, count: int) -> None:
        new = [item for item in denied.items() if item not in self._last.items()]
        for reference, errors in new[:_MOST_LINES]:
            fields = {
                "kind": str(reference.group_kind),
                "namespace": reference.namespace,
                "name": reference.name,
                "rules": sorted({error.rule for error in errors}),
                "error": errors[0].summary,
            }
            _log.warning("a stored object would be denied", extra={"fields": fields})
        _log.info("%d stored objects judged, %d of them would be denied", count, len(denied))

    def _write(self, denied: _Denied) -> None:
        results: dict[str, list[JsonObject]] = defaultdict(list)
        for reference, errors in denied.items():
            results[reference.namespace] += [_result(reference, error) for error in errors]
        documents = report_documents(_REPORT, results, self._reports)
        _log.info("%s", write_reports(self._api, self._reports, documents, lambda _: True, _REPORT))


def _review_of(obj: JsonObject) -> bytes:
    """A review of an object, as if it were created now."""
    reference = object_ref_of(obj)
    group, _, version = reference.api_version.rpartition("/")
    request = {
        "uid": "celvet-audit",
        "kind": {"group": group, "version": version, "kind": reference.kind},
        "namespace": reference.namespace,
        "operation": "CREATE",
        "userInfo": {"username": "celvet-audit"},
        "object": obj,
    }
    document = {"apiVersion": API_VERSION, "kind": "AdmissionReview", "request": request}
    return json.dumps(document, separators=(",", ":")).encode()


def _has_rule(webhook: JsonObject, group: str, plural: str) -> bool:
    return any(
        {group, "*"} & {*list_at(rule, ("apiGroups",))}
        and {plural, "*", "*/*"} & {*list_at(rule, ("resources",))}
        for rule in list_at(webhook, ("rules",))
    )


def _selects(
    webhook: JsonObject, obj: JsonObject, namespaces: Mapping[str, Mapping[str, str]]
) -> bool:
    """Whether the selectors of a webhook select an object that stays."""
    namespace = text_at(obj, ("metadata", "namespace"))
    in_namespace = not namespace or selects(
        mapping_at(webhook, ("namespaceSelector",)), namespaces.get(namespace, {})
    )
    by_labels = selects(mapping_at(webhook, ("objectSelector",)), _labels(obj))
    return in_namespace and by_labels and not text_at(obj, ("metadata", "deletionTimestamp"))


def _labels(obj: JsonObject) -> Mapping[str, str]:
    return mapping_at(obj, ("metadata", "labels"))


def _result(reference: ObjectRef, error: FindingRecord) -> JsonObject:
    return {
        "source": "celvet",
        "policy": _REPORT,
        "rule": error.rule,
        "category": "Admission",
        "result": "fail",
        "severity": "high",
        "message": error.summary,
        "resources": [resource_of(reference)],
    }
