"""Finds `kubectl wait`: in shell scripts, in recipes of make, in scripts and arguments within YAML.

A text is read as a shell reads it, command by command. A word with anything that only a run
computes, such as a variable, is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.model import Path, Span, Value
from celvet.lint.values import parts_in
from celvet.record import record, replace
from celvet.regex import regex

WORDS = ("--for",)
"""A text without it has no wait with a test."""

_TOKEN = regex(
    r"(?P<blank>[ \t]+|\\\r?\n|(?<![^\s;&|()])#[^\n]*)"
    r"|(?P<word>(?:'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"|\\[^\r\n]|[^\s'\"\\;&|()<>`])+)"
    r"|(?P<end>[\s\S])"
)
_PIECE = regex(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)|([^'\"\\]+)")
_ESCAPED = regex(r"\\([\"\\$`])")
_COMPUTED = regex(r"\$[({$]|\{\{")
_EXPANDED = regex(r"[$`]|\{\{|\{[^{}]*,[^{}]*\}")
_KUBECTL = regex(r"(?i)(?:^|[^a-z])(?:kubectl(?![a-z-])|oc$)")
_MAKE_VARIABLE = regex(r"(?i)\$\(\w*kubectl\w*\)[ \t]*\Z")
_RESOURCE = regex(r"['\"]?([A-Za-z][A-Za-z0-9.-]*)(?:/.*|['\"]?)")
_ALONE = regex(
    r"--(?:all|all-namespaces|allow-missing-template-keys|disable-compression"
    r"|insecure-skip-tls-verify|local|match-server-version|recursive|show-managed-fields"
    r"|warnings-as-errors)|-[^nlfoksv-]|-[^-].+"
)
"""Flags of kubectl v0.36.3 with their value, or without any (`pkg/cmd/wait/wait.go`)."""


@record
class KubectlWait:
    """One `kubectl wait`: what is behind `--for`, and the name of the resource, if it is there.

    The argument is at a path of a document; `span` is in that text, or in the script.
    """

    test: str
    resource: str
    path: Path = ()
    span: Span | None = None


@record
class _CommandWord:
    """A word as it is written, and as the program gets it; None where a run computes it."""

    raw: str
    text: str | None
    path: Path = ()
    span: Span | None = None


def holds_waits(text: str) -> bool:
    """Whether a text may have a wait with a test."""
    return "--for" in text and "wait" in text


def waits_in(value: Value) -> Iterator[KubectlWait]:
    """The waits in the texts and in the lists of arguments of a document, in their order."""
    for path, part in parts_in(value):
        if isinstance(part, str) and holds_waits(part):
            yield from (replace(wait, path=path) for wait in waits_in_script(part))
        elif isinstance(part, dict):
            words = [word for key in ("command", "args") for word in _arguments(part, path, key)]
            yield from _waits(words, is_kubectl="kubectl" in str(part.get("image", "")))


def waits_in_script(text: str) -> Iterator[KubectlWait]:
    """The waits in a script, or in a text that may be one."""
    words: list[_CommandWord] = []
    line = start = end = 0
    for token in _TOKEN.finditer(text + "\n"):
        if token["word"]:
            end, raw = token.end(), token["word"]
            start = start if words else token.start()
            words.append(_CommandWord(raw, _unquoted(raw), (), Span(token.start(), end)))
        elif token["end"]:
            # A substitution or a quote within a word: its text is not known.
            if words and end == token.start() and token["end"] in "()`'\"\\<>":
                words[-1] = replace(words[-1], text=None)  # the word goes on
            if any(word.text == "wait" for word in words):
                # The parentheses of `$(KUBECTL) wait` end a command, so the program that make runs
                # stands before what counts as one.
                is_kubectl = _MAKE_VARIABLE.search(text[line:start]) is not None
                yield from _waits(words, is_kubectl=is_kubectl)
            words = []
            line = token.end() if token["end"] == "\n" else line


def _unquoted(raw: str) -> str | None:
    """A word without its quotes; None if it has a part that a run computes."""
    parts = []
    for single, double, escaped, plain in _PIECE.findall(raw):
        if _COMPUTED.search(single) or _EXPANDED.search(plain) or _has_variable(double):
            return None
        parts.append(single + _ESCAPED.sub(r"\1", double) + escaped + plain)
    return "".join(parts)


def _has_variable(quoted: str) -> bool:
    return "{{" in quoted or any(mark in _ESCAPED.sub("", quoted) for mark in "$`")


def _arguments(part: dict[str, Value], path: Path, key: str) -> Iterator[_CommandWord]:
    """The words of a list of arguments."""
    items = part.get(key)
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, str):
            text = None if _COMPUTED.search(item) else item
            yield _CommandWord(item, text, (*path, key, index))


def _waits(words: Sequence[_CommandWord], *, is_kubectl: bool) -> Iterator[KubectlWait]:
    """The wait that a command is, with the last `--for` that counts."""
    names = [word.text for word in words]
    if "wait" not in names:
        return
    start = names.index("wait")
    if not (is_kubectl or any(_KUBECTL.search(word.raw) for word in words[:start])):
        return
    test: _CommandWord | None = None
    resources: list[str] = []
    arguments = iter(words[start + 1 :])
    for word in arguments:
        flag, sign, _ = word.raw.strip("'\"").partition("=")
        if flag in ("--filename", "--kustomize") or flag[:2] in ("-f", "-k"):
            resources.append("")  # of any kind
        if flag.startswith("-"):
            # pflag takes the next word as the value of any flag that is not a boolean one.
            value = word if sign or _ALONE.fullmatch(flag) else next(arguments, word)
            test = value if flag == "--for" else test
        elif not resources or "/" in word.raw:
            match = _RESOURCE.fullmatch(word.raw)
            resources.append(match[1] if match else "")
    if test and test.text is not None:
        resource = resources[0] if len({*resources}) == 1 else ""
        yield KubectlWait(test.text.removeprefix("--for="), resource, test.path, test.span)
