"""Turns the symbolic changes of a fix into edits of the file, in the file's style."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from celvet.lint.locate.edits import Edit, edited
from celvet.lint.locate.locator import Locator
from celvet.lint.manifest import Document, Manifest, read
from celvet.lint.manifest.yaml.node import YamlNode, node_at, walk
from celvet.lint.model import Change, Fix, Path, Span, Where
from celvet.record import record, replace


class CannotChangeError(Exception):
    """A change has no place in the file: in a variable's value, an alias or a shared patch."""


def edits(fix: Fix, manifest: Manifest, locator: Locator) -> tuple[Edit, ...]:
    """The edits that make a fix; raises `CannotChangeError` if one is impossible.

    The edited part is read again, and must have the wanted texts. A plain scalar that cannot hold
    its text is put in quotes.
    """
    wanted = _wanted(fix, manifest)
    found = tuple(edit for change in fix.changes for edit in _edits(change, manifest, locator))
    if _hold(found, wanted, manifest):
        return found
    quoted = tuple(_quoted(wanted, manifest))
    kept = tuple(
        edit for edit in found if not any(_within(edit.span, each.span) for each in quoted)
    )
    if quoted and _hold((*kept, *quoted), wanted, manifest):
        return (*kept, *quoted)
    raise CannotChangeError


def _hold(edits: Sequence[Edit], wanted: Mapping[Where, str | None], manifest: Manifest) -> bool:
    """Whether the edited file has the wanted texts."""
    for index in {where.document for where in wanted}:
        document = manifest.document(index)
        texts = {where.path: text for where, text in wanted.items() if where.document == index}
        part = _edited_part(document, [*texts], edits, manifest) if document else None
        if part is None:
            return False
        for path, text in texts.items():
            node = node_at(part.node, path[len(part.path) :])
            if (node.written if node else None) != text:
                return False
    return True


@record
class _EditedPart:
    """A part of a document that was read again after edits: its path and its node."""

    path: Path
    node: YamlNode


def _edited_part(
    document: Document, paths: Sequence[Path], edits: Sequence[Edit], manifest: Manifest
) -> _EditedPart | None:
    """The list item with the paths, or else the whole document; None if it is unreadable.

    An item is read together with the `-` of the next one. If that is an item again, the rest of the
    document reads as before, so the fixes of a file do not each read all of it.
    """
    own = [edit for edit in edits if document.start <= edit.span.start <= document.end]
    for path, span in _items_around(document, paths, manifest):
        if all(span.start < edit.span.start and edit.span.end < span.end for edit in own):
            root = _edited_root(manifest.text, span, own)
            if root and root.kind == "sequence" and len(root.items) == 2:
                return _EditedPart(path, root.items[0])
            break
    root = _edited_root(manifest.text, Span(document.start, document.end), own)
    return _EditedPart((), root) if root else None


def _items_around(
    document: Document, paths: Sequence[Path], manifest: Manifest
) -> Iterator[tuple[Path, Span]]:
    """The list items with all of the paths that can be read alone, from the innermost.

    Each has its path, and its lines up to the `-` of the next item.
    """
    if document.aliased or document.problems:
        return
    for size in range(len(paths[0]), 0, -1):
        path = paths[0][:size]
        index, parent = path[-1], document.node_at(path[:-1])
        if parent is None or not isinstance(index, int) or index + 1 >= len(parent.items):
            continue
        try:
            dash, following = (
                _dash(node, parent, manifest) for node in parent.items[index : index + 2]
            )
        except CannotChangeError:
            continue
        line = manifest.text.rfind("\n", 0, dash) + 1
        lines = manifest.text[line : following + 1]
        shared = all(other[:size] == path for other in paths)
        if shared and "${" not in lines and not manifest.text[line:dash].strip(" "):
            yield path, Span(line, following + 1)


def _edited_root(text: str, span: Span, edits: Iterable[Edit]) -> YamlNode | None:
    """The root of the only document in an edited part of a text; None if it is unreadable."""
    moved = (
        Edit(Span(edit.span.start - span.start, edit.span.end - span.start), edit.text)
        for edit in edits
    )
    documents = read(edited(text[span.start : span.end], moved)).documents
    return documents[0].root if len(documents) == 1 and not documents[0].problems else None


def _quoted(wanted: Mapping[Where, str | None], manifest: Manifest) -> Iterator[Edit]:
    """The edits that put those of these texts that are plain in double quotes."""
    for where, text in wanted.items():
        document = manifest.document(where.document)
        node = document.node_at(where.path) if document else None
        if node and node.style == "plain" and text is not None:
            yield Edit(node.span, json.dumps(text, ensure_ascii=False))


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _wanted(fix: Fix, manifest: Manifest) -> dict[Where, str | None]:
    """The new texts of scalars by their place; None for a removal."""
    texts: dict[Where, str | None] = {
        _last(each.where, manifest): None for each in fix.changes if each.remove
    }
    for change in sorted(fix.changes, key=lambda change: change.where.span or (0, 0), reverse=True):
        where, span = replace(change.where, span=None), change.where.span
        document = manifest.document(where.document)
        node = document.node_at(where.path) if document and span else None
        if node and span:
            text = texts.get(where) or node.text
            texts[where] = text[: span.start] + change.text + text[span.end :]
    return texts


def _last(where: Where, manifest: Manifest) -> Where:
    """The place that is gone after a removal: of an item, that of the last one."""
    document, path = manifest.document(where.document), where.path
    parent = document.node_at(path[:-1]) if document else None
    if parent is None or not path or not isinstance(path[-1], int):
        return where
    return replace(where, path=(*path[:-1], len(parent.items) - 1))


def _edits(change: Change, manifest: Manifest, locator: Locator) -> Iterator[Edit]:
    where = change.where
    if where.inner is not None or where.source is not None:
        raise CannotChangeError
    document = manifest.document(where.document)
    node = document.node_at(where.path) if document else None
    if document is None or node is None or _is_shared(node, document):
        raise CannotChangeError
    if where.span is None:
        key, parent = document.key_at(where.path), document.node_at(where.path[:-1])
        if parent and where.path and isinstance(where.path[-1], int):
            if change.remove:
                yield _item_removal(where.path, document, manifest)
                return
            if change.entry:
                yield _list_item(change.text, node, parent, manifest)
                return
        if key is None or parent is None or _is_shared(key, document):
            raise CannotChangeError
        if change.remove:
            yield _removal(key, parent, manifest)
            return
        yield (
            _entry(change.text, key, parent, manifest)
            if change.entry
            else Edit(key.span, _like(key, change.text))
        )
        return
    span = locator.source_span(where)
    if span is None or node.substituted:
        raise CannotChangeError
    yield Edit(span, _written(change.text, node))


def _is_shared(node: YamlNode, document: Document) -> bool:
    """Whether an alias also uses the node, for which the change may be wrong."""
    if not document.aliased:
        return False
    targets = (each.target for each in walk(document.root) if each.target)
    return any(target.start <= node.start < target.end for target in targets)


def _like(key: YamlNode, text: str) -> str:
    """A key in the style of another one."""
    if key.style == "double":
        return json.dumps(text, ensure_ascii=False)
    return f"'{text}'" if key.style == "single" else text


def _entry(text: str, key: YamlNode, parent: YamlNode, manifest: Manifest) -> Edit:
    """A new entry before another one, with a key in the same style."""
    name, colon, value = text.partition(":")
    text = _like(key, name) + colon + value
    if parent.style == "flow":
        if "\n" in text:
            raise CannotChangeError
        return Edit(Span(key.start, key.start), f"{text}, ")
    return _before(key.start, text, "", manifest)


def _list_item(text: str, node: YamlNode, parent: YamlNode, manifest: Manifest) -> Edit:
    """A new item in front of another one of a list."""
    dash = _dash(node, parent, manifest)
    return _before(dash, text, manifest.text[dash : node.start], manifest)


def _dash(node: YamlNode, parent: YamlNode, manifest: Manifest) -> int:
    """Where the `-` of an item is."""
    dash = manifest.text.rfind("-", 0, node.start)
    if parent.style == "flow" or dash < 0 or manifest.text[dash : node.start].strip("- "):
        raise CannotChangeError  # or the item has an anchor, a tag or a comment
    return dash


def _before(start: int, text: str, mark: str, manifest: Manifest) -> Edit:
    """A text of one or more lines, after a `mark`, in front of an entry or an item."""
    line = max(manifest.text.rfind("\n", 0, start), manifest.text.rfind("\r", 0, start))
    newline = "\r\n" if "\r\n" in manifest.text else "\n"
    indent = f"{newline}{' ' * (start - line - 1)}"
    further = indent + " " * len(mark)
    return Edit(Span(start, start), f"{mark}{text.replace(chr(10), further)}{indent}")


def _removal(key: YamlNode, parent: YamlNode, manifest: Manifest) -> Edit:
    """The removal of an entry: up to the next one, or from the end of the previous one."""
    place = next(number for number, each in enumerate(parent.pairs) if each[0] is key)
    value = parent.pairs[place][1]
    if place + 1 < len(parent.pairs):
        span = Span(key.start, parent.pairs[place + 1][0].start)
        rest = manifest.text[value.end : span.end]
    elif place:
        span = Span(parent.pairs[place - 1][1].end, value.end)
        rest = manifest.text[span.start : key.start]
    else:
        raise CannotChangeError
    if "#" in rest:
        raise CannotChangeError  # a comment would be lost
    return Edit(span, "")


def _item_removal(path: Path, document: Document, manifest: Manifest) -> Edit:
    """The removal of an item, with the whole list if it is the only one."""
    parent, place = document.node_at(path[:-1]), path[-1]
    if parent is None or not isinstance(place, int):
        raise CannotChangeError
    items = parent.items
    if len(items) == 1:
        key, mapping = document.key_at(path[:-1]), document.node_at(path[:-2])
        if key is None or mapping is None:
            raise CannotChangeError
        edit = _removal(key, mapping, manifest)
    elif place + 1 < len(items):
        first, after = (_dash(each, parent, manifest) for each in items[place : place + 2])
        edit = Edit(Span(first, after), "")
    else:
        # a block scalar ends after its last line break
        start, end = (len(manifest.text[: each.end].rstrip()) for each in items[place - 1 :])
        edit = Edit(Span(start, end), "")
    if "#" in manifest.text[edit.span.start : edit.span.end]:
        raise CannotChangeError  # a comment would be lost
    return edit


def _written(text: str, node: YamlNode) -> str:
    """A text in the style of the scalar that it is put into."""
    if node.style == "single":
        return text.replace("'", "''")
    return json.dumps(text, ensure_ascii=False)[1:-1] if node.style == "double" else text
