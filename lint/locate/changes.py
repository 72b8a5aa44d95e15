"""Turns the symbolic changes of a fix into edits of the file, in the file's style."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from celvet.lint.list_item import WIDTH, folded_lines
from celvet.lint.locate.edits import FileEdit, apply_edits
from celvet.lint.locate.locator import Locator
from celvet.lint.manifest import Document, Manifest, read
from celvet.lint.manifest.yaml.node import YamlNode, node_at, walk
from celvet.lint.model import Change, Fix, Path, Span, Where
from celvet.record import record, replace


class CannotChangeError(Exception):
    """A change has no place in the file: in a variable's value, an alias or a shared patch."""


def edits(fix: Fix, manifest: Manifest, locator: Locator) -> tuple[FileEdit, ...]:
    """The edits that make a fix; raises `CannotChangeError` if one is impossible.

    The edited part is read again, and must have the wanted texts. A plain scalar that cannot hold
    its text is put in quotes.
    """
    wanted_texts = _wanted_texts(fix, manifest)
    file_edits = tuple(_edit(change, manifest, locator) for change in fix.changes)
    new_texts = {where: text for where, text in wanted_texts.items() if text is not None}
    folding_edits = tuple(_folding_edits(fix, new_texts, manifest))
    # A plain scalar may not be able to hold its text: `: ` or ` #` would end it.
    quoting_edits = tuple(_quoting_edits(new_texts, manifest))
    for scalar_edits in (folding_edits, (), quoting_edits):
        other_edits = tuple(
            edit
            for edit in file_edits
            if not any(_is_within(edit.span, scalar_edit.span) for scalar_edit in scalar_edits)
        )
        all_edits = (*other_edits, *scalar_edits)
        if _hold(all_edits, wanted_texts, manifest):
            return all_edits
    raise CannotChangeError


def _hold(
    edits: Sequence[FileEdit], wanted_texts: Mapping[Where, str | None], manifest: Manifest
) -> bool:
    """Whether the edited file has the wanted texts."""
    for index in {where.document for where in wanted_texts}:
        document = manifest.document(index)
        texts = {
            where.path: text for where, text in wanted_texts.items() if where.document == index
        }
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
    document: Document, paths: Sequence[Path], edits: Sequence[FileEdit], manifest: Manifest
) -> _EditedPart | None:
    """The list item with the paths, or else the whole document; None if it is unreadable.

    An item is read together with the `-` of the next one. If that is an item again, the rest of the
    document reads as before, so the fixes of a file do not each read all of it.
    """
    document_edits = [edit for edit in edits if document.start <= edit.span.start <= document.end]
    for path, span in _items_around(document, paths, manifest):
        if all(
            span.start < edit.span.start and edit.span.end < span.end for edit in document_edits
        ):
            root = _edited_root(manifest.text, span, document_edits)
            if root and root.kind == "sequence" and len(root.items) == 2:
                return _EditedPart(path, root.items[0])
            break
    root = _edited_root(manifest.text, Span(document.start, document.end), document_edits)
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
            dash, next_dash = (
                _dash(node, parent, manifest) for node in parent.items[index : index + 2]
            )
        except CannotChangeError:
            continue
        # A variable may stand for anything, and what is before the `-` is not part of the item.
        line = manifest.text.rfind("\n", 0, dash) + 1
        lines = manifest.text[line : next_dash + 1]
        is_shared = all(text_path[:size] == path for text_path in paths)
        if is_shared and "${" not in lines and not manifest.text[line:dash].strip(" "):
            yield path, Span(line, next_dash + 1)


def _edited_root(text: str, span: Span, edits: Iterable[FileEdit]) -> YamlNode | None:
    """The root of the only document in an edited part of a text; None if it is unreadable."""
    part_edits = (
        FileEdit(Span(edit.span.start - span.start, edit.span.end - span.start), edit.text)
        for edit in edits
    )
    documents = read(apply_edits(text[span.start : span.end], part_edits)).documents
    return documents[0].root if len(documents) == 1 and not documents[0].problems else None


def _folding_edits(fix: Fix, texts: Mapping[Where, str], manifest: Manifest) -> Iterator[FileEdit]:
    """The edits that fold those of these texts that are new and longer than a line."""
    replaced_spans = {replace(change.where, span=None): change.where.span for change in fix.changes}
    for where, text in texts.items():
        document = manifest.document(where.document)
        node = document.node_at(where.path) if document else None
        key = document.key_at(where.path) if document else None
        parent = document.node_at(where.path[:-1]) if document else None
        if not (node and key and parent) or parent.style == "flow":
            continue
        line_start = manifest.text.rfind("\n", 0, key.start) + 1
        end = len(manifest.text[: node.end].rstrip())
        fitted = end - line_start <= WIDTH and "\n" not in manifest.text[line_start:end]
        if not fitted and replaced_spans.get(where) != (0, len(node.text)):
            continue  # the author has broken the lines, or has not
        indent = " " * (key.start - line_start + 2)
        lines = folded_lines(text, WIDTH - len(indent))
        if node.start - line_start + len(text) > WIDTH and len(lines) > 1:
            newline = "\r\n" if "\r\n" in manifest.text else "\n"
            yield FileEdit(
                Span(node.start, end), newline.join((">-", *(indent + line for line in lines)))
            )


def _quoting_edits(texts: Mapping[Where, str], manifest: Manifest) -> Iterator[FileEdit]:
    """The edits that put those of these texts that are plain in double quotes."""
    for where, text in texts.items():
        document = manifest.document(where.document)
        node = document.node_at(where.path) if document else None
        if node and node.style == "plain":
            yield FileEdit(node.span, json.dumps(text, ensure_ascii=False))


def _is_within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _wanted_texts(fix: Fix, manifest: Manifest) -> dict[Where, str | None]:
    """The new texts of scalars by their place; None for a removal."""
    texts: dict[Where, str | None] = {
        _removed_place(change.where, manifest): None for change in fix.changes if change.remove
    }
    for change in sorted(fix.changes, key=lambda change: change.where.span or (0, 0), reverse=True):
        where, span = replace(change.where, span=None), change.where.span
        document = manifest.document(where.document)
        node = document.node_at(where.path) if document and span else None
        if node and span:
            text = texts.get(where) or node.text
            texts[where] = text[: span.start] + change.text + text[span.end :]
    return texts


def _removed_place(where: Where, manifest: Manifest) -> Where:
    """The place that is gone after a removal: of an item, that of the last one."""
    document, path = manifest.document(where.document), where.path
    parent = document.node_at(path[:-1]) if document else None
    if parent is None or not path or not isinstance(path[-1], int):
        return where
    return replace(where, path=(*path[:-1], len(parent.items) - 1))


def _edit(change: Change, manifest: Manifest, locator: Locator) -> FileEdit:
    """The edit of one change; raises `CannotChangeError` if it has no place in the file."""
    where = change.where
    if where.inner is not None or where.source is not None:
        raise CannotChangeError
    document = manifest.document(where.document)
    node = document.node_at(where.path) if document else None
    if document is None or node is None or _is_shared(node, document):
        raise CannotChangeError
    if where.span is None:
        return _whole_edit(change, node, document, manifest)
    span = locator.source_span(where)
    if span is None or node.substituted:
        raise CannotChangeError
    return FileEdit(span, _in_style_of(change.text, node))


def _whole_edit(change: Change, node: YamlNode, document: Document, manifest: Manifest) -> FileEdit:
    """The edit of a change that is about a whole entry or item rather than a part of a text."""
    path = change.where.path
    key, parent = document.key_at(path), document.node_at(path[:-1])

    # An item of a list has no key.
    if parent and path and isinstance(path[-1], int):
        if change.remove:
            return _item_removal(path, document, manifest)
        if change.entry:
            return _list_item(change.text, node, parent, manifest)

    # Everything else is an entry of a mapping, or its key.
    if key is None or parent is None or _is_shared(key, document):
        raise CannotChangeError
    if change.remove:
        return _removal(key, parent, manifest)
    if change.entry:
        return _entry(change.text, key, parent, manifest)
    return FileEdit(key.span, _like(key, change.text))


def _is_shared(node: YamlNode, document: Document) -> bool:
    """Whether an alias also uses the node, for which the change may be wrong."""
    if not document.aliased:
        return False
    targets = (alias.target for alias in walk(document.root) if alias.target)
    return any(target.start <= node.start < target.end for target in targets)


def _like(key: YamlNode, text: str) -> str:
    """A key in the style of another one."""
    if key.style == "double":
        return json.dumps(text, ensure_ascii=False)
    return f"'{text}'" if key.style == "single" else text


def _entry(text: str, key: YamlNode, parent: YamlNode, manifest: Manifest) -> FileEdit:
    """A new entry before another one, with a key in the same style."""
    name, colon, value = text.partition(":")
    text = _like(key, name) + colon + value
    if parent.style == "flow":
        if "\n" in text:
            raise CannotChangeError
        return FileEdit(Span(key.start, key.start), f"{text}, ")
    return _insertion_before(key.start, text, "", manifest)


def _list_item(text: str, node: YamlNode, parent: YamlNode, manifest: Manifest) -> FileEdit:
    """A new item in front of another one of a list."""
    dash = _dash(node, parent, manifest)
    return _insertion_before(dash, text, manifest.text[dash : node.start], manifest)


def _dash(node: YamlNode, parent: YamlNode, manifest: Manifest) -> int:
    """Where the `-` of an item is."""
    dash = manifest.text.rfind("-", 0, node.start)
    if parent.style == "flow" or dash < 0 or manifest.text[dash : node.start].strip("- "):
        raise CannotChangeError  # or the item has an anchor, a tag or a comment
    return dash


def _insertion_before(start: int, text: str, mark: str, manifest: Manifest) -> FileEdit:
    """A text of one or more lines, after a `mark`, in front of an entry or an item."""
    line = max(manifest.text.rfind("\n", 0, start), manifest.text.rfind("\r", 0, start))
    newline = "\r\n" if "\r\n" in manifest.text else "\n"
    indent = f"{newline}{' ' * (start - line - 1)}"
    line_indent = indent + " " * len(mark)
    return FileEdit(Span(start, start), f"{mark}{text.replace(chr(10), line_indent)}{indent}")


def _removal(key: YamlNode, parent: YamlNode, manifest: Manifest) -> FileEdit:
    """The removal of an entry: up to the next one, or from the end of the previous one."""
    place = next(number for number, pair in enumerate(parent.pairs) if pair[0] is key)
    value = parent.pairs[place][1]
    if place + 1 < len(parent.pairs):
        span = Span(key.start, parent.pairs[place + 1][0].start)
        gap = manifest.text[value.end : span.end]
    elif place:
        span = Span(parent.pairs[place - 1][1].end, value.end)
        gap = manifest.text[span.start : key.start]
    else:
        raise CannotChangeError
    if "#" in gap:
        raise CannotChangeError  # a comment would be lost
    return FileEdit(span, "")


def _item_removal(path: Path, document: Document, manifest: Manifest) -> FileEdit:
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
        dash, next_dash = (_dash(item, parent, manifest) for item in items[place : place + 2])
        edit = FileEdit(Span(dash, next_dash), "")
    else:
        # a block scalar ends after its last line break
        start, end = (len(manifest.text[: item.end].rstrip()) for item in items[place - 1 :])
        edit = FileEdit(Span(start, end), "")
    if "#" in manifest.text[edit.span.start : edit.span.end]:
        raise CannotChangeError  # a comment would be lost
    return edit


def _in_style_of(text: str, node: YamlNode) -> str:
    """A text in the style of the scalar that it is put into."""
    if node.style == "single":
        return text.replace("'", "''")
    return json.dumps(text, ensure_ascii=False)[1:-1] if node.style == "double" else text
