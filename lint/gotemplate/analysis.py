"""Finds what a template reads and calls, without running it.

Paths are followed through `with`, `range`, variables, the dots of `template` and `block`, and
through `index`, `get`, `dig`, `first` and `last` with constant arguments. A value that a function
made is not followed further: the path that went into it is read, and that is all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.gotemplate.errors import SourceSpan
from celvet.lint.gotemplate.syntax.nodes import (
    ActionNode,
    BranchNode,
    ChainNode,
    CommandNode,
    DotNode,
    FieldAccess,
    FunctionNode,
    NodeList,
    NumberNode,
    OperandNode,
    PipeNode,
    Statement,
    StringNode,
    TemplateNode,
    VariableNode,
)
from celvet.lint.gotemplate.syntax.tokens import NAME
from celvet.record import record

ITEM = "[]"
"""In a path: any item of a list, or any entry of a map that `range` walks."""

ReadPath = tuple[str, ...] | None
"""A path below `inputs`; None for a value that is not part of the inputs."""

_PASSES = frozenset(("and", "or", "default", "coalesce"))
_MOST_VISITS = 50
_ITEMS = frozenset(("first", "mustFirst", "last", "mustLast"))


@record
class Read:
    """A place where a template reads the inputs.

    Attributes:
        path: below `inputs`; empty for all of them.
        span: where it is written: `inputs.a.b`, `.b` in a `with`, `$x.b`.
        caller: the function that gets the value, or "" if it is printed, tested or walked as it
            is; the first function of the rest of the pipeline counts.
        keyword: "if", "with" or "range" if the pipeline is that of a block, or "".
    """

    path: tuple[str, ...]
    span: SourceSpan
    caller: str
    keyword: str


@record
class FunctionCall:
    """A place where a template calls a function."""

    name: str
    span: SourceSpan


@record
class TemplateAnalysis:
    """The reads, calls and constant texts of a template, in source order."""

    reads: tuple[Read, ...]
    calls: tuple[FunctionCall, ...]
    texts: tuple[str, ...]


def analyse(trees: Mapping[str, NodeList]) -> TemplateAnalysis:
    """Analyse the templates of a source, beginning with the source itself.

    A template that is called from several places is looked at with each of their dots.
    """
    walker = _Walker(trees)
    for root in (NAME, *trees):
        if root not in walker.seen_names:
            walker.tree(root, None)
    reads = sorted(set(walker.reads), key=lambda read: (read.span.start, read.path))
    calls = sorted(set(walker.calls), key=lambda call: call.span.start)
    return TemplateAnalysis(tuple(reads), tuple(calls), tuple(dict.fromkeys(walker.texts)))


class _Walker:
    def __init__(self, trees: Mapping[str, NodeList]) -> None:
        self._trees = trees
        self.reads: list[Read] = []
        self.calls: list[FunctionCall] = []
        self.texts: list[str] = []
        self.seen_names: set[str] = set()
        self._seen: set[tuple[str, ReadPath]] = set()
        self._variables: dict[str, ReadPath] = {}
        self._keyword = ""

    def tree(self, name: str, dot: ReadPath) -> None:
        self.seen_names.add(name)
        if (name, dot) in self._seen or name not in self._trees:
            return
        if len(self._seen) >= _MOST_VISITS:  # a template that calls itself with a longer path
            return
        self._seen.add((name, dot))
        outer_variables, self._variables = self._variables, {"$": dot}
        self._list(self._trees[name], dot)
        self._variables = outer_variables

    def _list(self, nodes: NodeList | None, dot: ReadPath) -> None:
        outer_variables = dict(self._variables)
        for node in nodes.nodes if nodes else ():
            self._statement(node, dot)
        self._variables = outer_variables

    def _statement(self, node: Statement, dot: ReadPath) -> None:
        if isinstance(node, ActionNode):
            self._pipe(node.pipe, dot)
        elif isinstance(node, TemplateNode):
            self.tree(node.name, self._pipe(node.pipe, dot) if node.pipe else None)
        elif isinstance(node, BranchNode):
            self._branch(node, dot)

    def _branch(self, node: BranchNode, dot: ReadPath) -> None:
        outer_variables = dict(self._variables)
        self._keyword = node.keyword
        path = self._pipe(node.pipe, dot)
        self._keyword = ""
        inner = dot if node.keyword == "if" else path
        if node.keyword == "range":
            inner = None if path is None else (*path, ITEM)
            names = [variable.name for variable in node.pipe.variables]
            self._variables.update(dict.fromkeys(names))
            if names:
                self._variables[names[-1]] = inner
        self._list(node.body, inner)
        self._list(node.otherwise, dot)
        self._variables = outer_variables

    def _pipe(self, pipe: PipeNode, dot: ReadPath) -> ReadPath:
        path: ReadPath = None
        for index, command in enumerate(pipe.commands):
            following = pipe.commands[index + 1].args[0] if index + 1 < len(pipe.commands) else None
            caller = following.text if isinstance(following, FunctionNode) else ""
            path = self._command(command, dot, path, caller)
        for variable in pipe.variables:
            self._variables[variable.name] = path
        return path

    def _command(
        self, command: CommandNode, dot: ReadPath, final: ReadPath, caller: str
    ) -> ReadPath:
        operand, arguments = command.args[0], command.args[1:]
        if not isinstance(operand, FunctionNode) or operand.text == "inputs":
            return self._operand(operand, dot, caller)
        self.calls.append(FunctionCall(operand.text, operand.span))
        keyword, self._keyword = self._keyword, ""
        paths = [self._operand(arg, dot, operand.text) for arg in arguments]
        self._keyword = keyword
        return self._result(operand, arguments, [*paths, final])

    def _result(
        self, function: FunctionNode, args: list[OperandNode], paths: list[ReadPath]
    ) -> ReadPath:
        """The path of a function's result: of a part of an argument, or of none."""
        known_paths = [path for path in paths if path is not None]
        name = function.text
        if not known_paths:
            return None
        if name in _PASSES:
            return known_paths[-1]
        if name in _ITEMS:
            return (*known_paths[0], ITEM)
        if name in ("index", "get"):
            keys = tuple(_keys(args[1:]))
            return self._part(known_paths[0] + keys, function) if paths[0] is not None else None
        if name == "dig":
            return self._part(known_paths[-1] + tuple(_keys(args[:-2])), function)
        return None

    def _part(self, path: tuple[str, ...], function: FunctionNode) -> ReadPath:
        self.reads.append(Read(path, function.span, "", self._keyword))
        return path

    def _operand(self, node: OperandNode, dot: ReadPath, caller: str) -> ReadPath:
        if isinstance(node, PipeNode):
            return self._pipe(node, dot)
        if isinstance(node, ChainNode):
            return self._chain(node, dot, caller)
        if isinstance(node, FunctionNode):
            self.calls.append(FunctionCall(node.text, node.span))
            return self._read((), (), node.span, caller) if node.text == "inputs" else None
        if isinstance(node, FieldAccess | VariableNode):
            base = dot if isinstance(node, FieldAccess) else self._variables.get(node.name)
            return self._read(base, node.names, node.span, caller)
        if isinstance(node, StringNode):
            self.texts.append(node.value)
        return self._read(dot, (), node.span, caller) if isinstance(node, DotNode) else None

    def _chain(self, node: ChainNode, dot: ReadPath, caller: str) -> ReadPath:
        base = node.base
        if isinstance(base, FunctionNode) and base.text == "inputs":
            self.calls.append(FunctionCall("inputs", base.span))
            return self._read((), node.names, SourceSpan(base.start, node.end), caller)
        return self._read(self._operand(base, dot, ""), node.names, node.span, caller)

    def _read(
        self, base: ReadPath, names: list[str] | tuple[()], span: SourceSpan, caller: str
    ) -> ReadPath:
        if base is None:
            return None
        path = (*base, *names)
        self.reads.append(Read(path, span, caller, self._keyword if not caller else ""))
        return path


def _keys(args: list[OperandNode]) -> Iterator[str]:
    for arg in args:
        if isinstance(arg, StringNode):
            yield arg.value
        elif isinstance(arg, NumberNode):
            yield ITEM
        else:
            return
