"""The catalogue's facts about the kind under a check, as help and notes of findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from celvet.lint.checks.check import Check
from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.model import Change, Fix, GroupKind, Path, Related
from celvet.lint.safe_text import enumeration
from celvet.lint.values import list_at
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import Kind, KindFacts, kind_facts
from celvet.schemas.kind_files import BUILT_IN_GROUPS
from celvet.schemas.sites import subschemas
from celvet.schemas.walk import ITEM

_MESSAGE = regex(r"\.message\b")


def well_judged(checked: CheckedObject, check: Check) -> str:
    """Why kstatus is right about a kind without an entry; empty if it is not."""
    facts = checked.facts_of(check)
    if facts and not facts.kstatus:
        return ""
    group = check.named.group
    # The core group has only the version `v1`.
    if group in BUILT_IN_GROUPS and (group or check.value.get("apiVersion") == "v1"):
        return "a built-in kind"
    return "one of Flux's own kinds" if facts and facts.kstatus == "flux" else ""


def recommend(
    checked: CheckedObject,
    check: Check,
    roles: Sequence[str],
    verdicts: Mapping[str, str],
    *,
    doubtful: bool = False,
) -> str:
    """The recommended expressions for the role at fault, the first one, and others, as help.

    Empty for a kind without facts. `verdicts` are those of the check in states of the kind's life;
    with `doubtful`, the user may have meant the expression.
    """
    facts = checked.facts_of(check)
    if facts is None:
        return ""
    role, texts = roles[0], [expression.program.text for expression in check.expressions]
    entry = facts.closest_entry(texts, verdicts)
    if not entry:
        advice = (
            f"remove the entry: {checked.controller} judges a `{facts.title}` correctly without one"
        )
    # Messages change with any release, so nobody gets such an expression without its reasons.
    elif any(reads_messages(entry.get(role_name, "")) for role_name in roles):
        advice = _use_suggestion(facts, entry, [name for name in roles if name in entry])
    elif len(roles) > 1:
        advice = " and ".join(_put(entry, role_name, f"{role_name}: ") for role_name in roles)
    elif role in entry or facts.fails or check.role(role).answer != "Failed":
        advice = _put(entry, role)
    else:
        is_retried = facts.content.get("failure", {}).get("retried")
        reason = (
            "its controller retries each failure"
            if is_retried
            else "the kind has no state of failure"
        )
        advice = f"remove `{role}`: {reason}"
    return sentence(f"if that is intended, suppress it; otherwise {advice}" if doubtful else advice)


@record
class KnownState:
    """A state of the kind's life, by its name.

    `pitfall` is what the catalogue says of entries with this fault, empty if it has no such entry.
    """

    name: str
    pitfall: str = ""


def sources(
    checked: CheckedObject, check: Check, role: str, state: KnownState | None
) -> tuple[Related, ...]:
    """Notes on a wrong verdict in a state of the life: what is said of it, and the source."""
    facts = checked.facts_of(check)
    if facts is None or state is None:
        return ()
    notes = [state.pitfall] if state.pitfall else []
    notes += [
        f"{source.repository} {source.release}, {source.path}: {source.says}"
        for source in facts.sources(state.name)
    ]
    where = checked.at_role(check, role)
    return tuple(Related(note, where) for note in notes)


@lru_cache(maxsize=64)  # the version may be anything in a review
def list_of_entries(kind: Kind, version: str) -> Path:
    """The path of the list in which a version of a kind takes entries; empty without one."""
    for segments, schema in subschemas(kind.schema):
        entries = schema.get("items", {}).get("x-check", {}).get("strategy") == "health-check"
        if entries and ITEM not in segments and version in schema.get("x-versions", kind.versions):
            return segments
    return ()


def insertion(checked: CheckedObject, kind: GroupKind, next_field: Path) -> Fix | None:
    """The fix that adds the recommended entry for a kind, in a new list before another field."""
    from celvet.lint.list_item import item  # few findings have this fix

    facts = kind_facts(*kind, checked.directories)
    version = checked.object.api_version.rpartition("/")[2]
    path = list_of_entries(checked.kind, version) if checked.kind else ()
    has_other_writer = any(form.resource.last_writer(*path) for form in checked.forms())
    if not (facts and facts.entry and path) or has_other_writer:
        return None
    object_fields = {"apiVersion": facts.api_version}
    lines = [*item({**object_fields, "kind": facts.kind, **facts.entry})]
    if list_at(checked.value, path):
        where, text = checked.place((*path, 0)), "\n".join(line[2:] for line in lines)
    else:
        where = checked.place(next_field, None, True)
        text = "\n".join([f"{path[-1]}:", *(f"  {line}" for line in lines)])
    title = f"Add the entry for `{kind}` to `{path[-1]}`."
    return Fix(title, (Change(where, text, entry=True),), safe=False)


def _use_suggestion(facts: KindFacts, entry: Mapping[str, str], roles: Sequence[str]) -> str:
    """The advice to take expressions from `celvet suggest`, or to leave out one of messages."""
    names = (name for name, variant in facts.variants.items() if variant.entry == entry)
    variant = "".join(f" --variant {name}" for name in [*names][:1])
    name = f"{facts.kind}.{facts.group}".lstrip(".")
    command = f"`celvet suggest {name}{variant}` prints"
    if len(roles) > 1:
        return f"use the {enumeration(roles, 'and')} that {command}"
    return f"remove `{roles[0]}`, or use the one that {command}, which reads messages"


def reads_messages(text: str) -> bool:
    """Whether an expression reads messages, which a controller may word anew in any release."""
    return bool(_MESSAGE.search(text))


def _put(entry: Mapping[str, str], role: str, key: str = "") -> str:
    text = plain(entry.get(role, ""))
    return f"write `{key}{text}`" if text else f"remove `{role}`"


def plain(text: str) -> str:
    """An expression without its layout."""
    return " ".join(text.split())


def sentence(hint: str) -> str:
    """A hint, `write x`, as the help of a finding: `Write x.`."""
    return f"{hint[0].upper()}{hint[1:]}." if hint else ""
