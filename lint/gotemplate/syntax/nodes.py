"""The tree of a template (text/template/parse/node.go, Go 1.27).

`start` is the position that Go gives a node, `end` where its text ends; both are code points of
the source. `str()` of a node is the text in Go's ``at <...>``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from celvet.lint.go.numbers import Number
from celvet.lint.go.quoting import quote
from celvet.lint.gotemplate.errors import SourceSpan


@dataclass(slots=True, eq=False)
class ParseNode:
    """Anything in the tree."""

    start: int
    end: int

    @property
    def span(self) -> SourceSpan:
        """The place of the node."""
        return SourceSpan(self.start, max(self.start, self.end))


@dataclass(slots=True, eq=False)
class Word(ParseNode):
    """`.`, `nil`, `true`, `false`, or the name of a function."""

    text: str

    def __str__(self) -> str:
        return self.text


class DotNode(Word):
    """`.`."""


class NilNode(Word):
    """`nil`."""


class BoolConstant(Word):
    """`true` or `false`."""


class FunctionNode(Word):
    """The name of a function: Go's IdentifierNode."""


@dataclass(slots=True, eq=False)
class FieldAccess(ParseNode):
    """`.a.b`: fields of the dot."""

    names: list[str]

    def __str__(self) -> str:
        return "".join(f".{name}" for name in self.names)


@dataclass(slots=True, eq=False)
class VariableNode(ParseNode):
    """`$x.a.b`: a variable, and fields of it."""

    name: str
    names: list[str]

    def __str__(self) -> str:
        return ".".join([self.name, *self.names])


@dataclass(slots=True, eq=False)
class NumberNode(ParseNode):
    """A number or a character."""

    number: Number

    def __str__(self) -> str:
        return self.number.text


@dataclass(slots=True, eq=False)
class StringNode(ParseNode):
    """A string: as written, and its value."""

    quoted: str
    value: str

    def __str__(self) -> str:
        return self.quoted


@dataclass(slots=True, eq=False)
class CommandNode(ParseNode):
    """An operand, or a function and its arguments."""

    args: list[OperandNode]

    def __str__(self) -> str:
        return " ".join(f"({arg})" if isinstance(arg, PipeNode) else str(arg) for arg in self.args)


@dataclass(slots=True, eq=False)
class PipeNode(ParseNode):
    """Commands; each gets the value of the previous one; perhaps `$x :=` or `$x =`."""

    variables: list[VariableNode]
    commands: list[CommandNode]
    assigns: bool = False

    def __str__(self) -> str:
        names = ", ".join(map(str, self.variables))
        sign = f"{names} {'=' if self.assigns else ':='} " if names else ""
        return sign + " | ".join(map(str, self.commands))


@dataclass(slots=True, eq=False)
class ChainNode(ParseNode):
    """`(pipeline).a.b` or `function.a.b`: fields of a value. `start` is at the first field."""

    base: OperandNode
    names: list[str]

    def __str__(self) -> str:
        base = f"({self.base})" if isinstance(self.base, PipeNode) else str(self.base)
        return ".".join([base, *self.names])


@dataclass(slots=True, eq=False)
class LiteralText(ParseNode):
    """Text outside of actions, after trimming."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True, eq=False)
class NodeList(ParseNode):
    """The content between two actions of a block, in order."""

    nodes: list[Statement] = field(default_factory=list)

    def __str__(self) -> str:
        return "".join(map(str, self.nodes))


@dataclass(slots=True, eq=False)
class ActionNode(ParseNode):
    """A pipeline whose value is printed. `action` is the whole of it, with the delimiters."""

    pipe: PipeNode
    action: SourceSpan

    def __str__(self) -> str:
        return f"<<{self.pipe}>>"


@dataclass(slots=True, eq=False)
class BranchNode(ParseNode):
    """`if`, `with` or `range`; `action` is the action that opens it."""

    keyword: str
    pipe: PipeNode
    body: NodeList
    otherwise: NodeList | None
    action: SourceSpan

    def __str__(self) -> str:
        otherwise = "" if self.otherwise is None else f"<<else>>{self.otherwise}"
        return f"<<{self.keyword} {self.pipe}>>{self.body}{otherwise}<<end>>"


@dataclass(slots=True, eq=False)
class TemplateNode(ParseNode):
    """`template "name" pipeline`, also the use of a `block`."""

    name: str
    pipe: PipeNode | None
    action: SourceSpan

    def __str__(self) -> str:
        pipe = "" if self.pipe is None else f" {self.pipe}"
        return f"<<template {quote(self.name)}{pipe}>>"


@dataclass(slots=True, eq=False)
class JumpNode(ParseNode):
    """`break` or `continue`."""

    keyword: str

    def __str__(self) -> str:
        return f"<<{self.keyword}>>"


@dataclass(slots=True, eq=False)
class EndNode(ParseNode):
    """`end` or `else`, which never stay in the tree; `keyword` says which."""

    keyword: str

    def __str__(self) -> str:
        return f"<<{self.keyword}>>"


OperandNode = Word | FieldAccess | VariableNode | NumberNode | StringNode | PipeNode | ChainNode
Statement = LiteralText | ActionNode | BranchNode | TemplateNode | JumpNode


def is_empty(tree: NodeList) -> bool:
    """Whether a template has nothing but white space: it replaces no other."""
    return all(isinstance(node, LiteralText) and not node.text.strip() for node in tree.nodes)
