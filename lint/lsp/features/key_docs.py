"""What a key of a manifest means: how the controller uses its expression, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.lsp.features.completion.cursor import Context, context_at
from celvet.lint.lsp.state.analysis import Analysis
from celvet.lint.manifest import Document, YamlNode
from celvet.lint.model import GroupKind, Path, Span
from celvet.lint.safe_text import enumeration
from celvet.schemas import Catalog, Dialect, Kind, kind_facts


def describe_key(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    """A text in Markdown about the key at an offset, and where the key is."""
    catalog = analysis.settings.catalog
    for document in analysis.manifest.documents:
        if key := _key_at(document, offset):
            path, span = key
            context = context_at(document, path, catalog)
            for schema in context.schemas if context.kind else ():
                description = schema.get("description", "")
                mark = schema.get("x-expression") or schema.get("items", {}).get("x-expression")
                parts = [description] if description else []
                if mark and context.kind:
                    dialect = catalog.dialects[mark["dialect"]]
                    parts += _usage(dialect, mark["role"], context.kind)
                    parts.append(_recommendation(context, dialect, mark["role"], catalog))
                if parts and context.kind:
                    parts.append(f"[{context.kind.kind}]({context.kind.documentation})")
                    return "\n\n".join(filter(None, (f"`{path[-1]}`", *parts))), span
    return None


def _key_at(document: Document, offset: int) -> tuple[Path, Span] | None:
    """The path of the key at an offset, and where it is."""
    path: Path = ()
    node = document.root
    while node:
        for key, _ in node.pairs:
            if key.start <= offset <= key.end:
                return (*path, key.text), key.span
        children: list[tuple[str | int, YamlNode]] = [*enumerate(node.items)]
        children += ((key.text, value) for key, value in node.pairs)
        steps = ((step, child) for step, child in children if child.start <= offset < child.end)
        step, node = next(steps, ("", None))
        path = (*path, step)
    return None


def _usage(dialect: Dialect, name: str, kind: Kind) -> Iterator[str]:
    """What the controller does with the expression of a role, and what the expression sees."""
    role = dialect.role(name)
    names = [item.name for item in dialect.roles if item.answer]
    if role.answer and len(names) > 1:
        yield (
            f"{kind.controller} tries {enumeration(names, 'and')} in this order; the first that is"
            f" true decides, this one for `{role.answer}`. If none is true, the verdict is"
            f" `{dialect.otherwise}`; if one fails with an error, `{dialect.fails}`."
        )
    elif role.answer:
        yield (
            f"If it is true, the verdict is `{role.answer}`, else `{dialect.otherwise}`;"
            f" if it fails with an error, `{dialect.fails}`."
        )
    if role.never:
        yield f"If it is never true, {role.never}."
    yield f"{dialect.description}."


def _recommendation(context: Context, dialect: Dialect, role: str, catalog: Catalog) -> str:
    """The expression that the catalogue recommends for the kind; empty for an unknown one."""
    kind = GroupKind.of(*context.objects)
    facts = kind_facts(*kind, catalog.directories)
    entry = facts.in_roles_of(dialect).entry if facts else {}
    if role in entry:
        return f"For {kind} write:\n\n```cel\n{entry[role]}\n```"
    return f"The recommended entry for {kind} has no `{role}`." if entry else ""
