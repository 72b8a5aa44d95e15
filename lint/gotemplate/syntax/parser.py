"""The parser: actions and blocks (text/template/parse/parse.go, Go 1.26)."""

from __future__ import annotations

from celvet.lint.go.quoting import quote
from celvet.lint.gotemplate.errors import SourceSpan
from celvet.lint.gotemplate.syntax.nodes import (
    ActionNode,
    BranchNode,
    EndNode,
    JumpNode,
    LiteralText,
    NodeList,
    PipeNode,
    Statement,
    TemplateNode,
    is_empty,
)
from celvet.lint.gotemplate.syntax.pipelines import PipelineParser
from celvet.lint.gotemplate.syntax.tokens import NAME, Lexeme, TemplateToken
from celvet.lint.gotemplate.template_limits import TemplateLimits

_BRANCHES = {TemplateToken.IF: "if", TemplateToken.WITH: "with", TemplateToken.RANGE: "range"}
_JUMPS = {TemplateToken.BREAK: "break", TemplateToken.CONTINUE: "continue"}


class TemplateParser(PipelineParser):
    """Parses one source; `trees` then has each template in it by its name."""

    def __init__(self, source: str, limits: TemplateLimits) -> None:
        super().__init__(source, limits)
        self.trees: dict[str, NodeList] = {}
        self._range_depth = 0

    def parse(self) -> None:
        """Parse the source.

        Raises:
            TemplateError: it is not a template.
        """
        root = NodeList(0, len(self.source))
        while self.peek().kind is not TemplateToken.EOF:
            if self.peek().kind is TemplateToken.LEFT_DELIM:
                delim = self.next()
                if self.next_non_space().kind is TemplateToken.DEFINE:
                    self._definition()
                    continue
                self.backup2(delim)
            node = self._statement()
            if isinstance(node, EndNode):
                raise self.error(f"unexpected {node}")
            root.nodes.append(node)
        self._add(NAME, root)

    def _add(self, name: str, tree: NodeList) -> None:
        old_tree = self.trees.get(name)
        if old_tree is None or is_empty(old_tree):
            self.trees[name] = tree
        elif not is_empty(tree):
            raise self.error(f"template: multiple definition of template {quote(name)}")

    def _definition(self) -> None:
        context = "define clause"
        token = self.next_non_space()
        if token.kind not in (TemplateToken.STRING, TemplateToken.RAW_STRING):
            raise self.unexpected(token, context)
        name = self.template_name(token, context)
        self.expect(TemplateToken.RIGHT_DELIM, context)
        self._tree(name, context)

    def _tree(self, name: str, context: str) -> None:
        """Parse the body of a `define` or a `block`: it sees no variables of the outside."""
        outer_state = self.variables, self.action_line, self._range_depth, self.parens, self.current
        self.variables, self.action_line, self._range_depth, self.parens = ["$"], 0, 0, 0
        body, end = self._list()
        if end.keyword != "end":
            if context == "block clause":
                self.current = outer_state[-1]
            raise self.error(f"unexpected {end} in {context}")
        self._add(name, body)
        self.variables, self.action_line, self._range_depth, self.parens, self.current = outer_state

    def _list(self) -> tuple[NodeList, EndNode]:
        nodes = NodeList(self.peek_non_space().start, 0)
        while self.peek_non_space().kind is not TemplateToken.EOF:
            node = self._statement()
            if isinstance(node, EndNode):
                nodes.end = node.start
                return nodes, node
            nodes.nodes.append(node)
        raise self.error("unexpected EOF")

    def _statement(self) -> Statement | EndNode:
        token = self.next_non_space()
        if token.kind is TemplateToken.TEXT:
            return LiteralText(token.start, token.end, token.text)
        if token.kind is not TemplateToken.LEFT_DELIM:
            raise self.unexpected(token, "input")
        self.action_line = token.line
        self.enter()
        node = self._action(token)
        self.leave()
        self.action_line = 0
        return node

    def _action(self, delim: Lexeme) -> Statement | EndNode:
        token = self.next_non_space()
        if token.kind in _BRANCHES:
            return self._branch(_BRANCHES[token.kind], delim)
        if token.kind in _JUMPS:
            return self._jump(_JUMPS[token.kind], token)
        if token.kind in (TemplateToken.ELSE, TemplateToken.END):
            return self._else() if token.kind is TemplateToken.ELSE else self._end(delim)
        if token.kind in (TemplateToken.BLOCK, TemplateToken.TEMPLATE):
            return (
                self._block(delim) if token.kind is TemplateToken.BLOCK else self._template(delim)
            )
        return self._pipeline_action(delim)

    def _pipeline_action(self, delim: Lexeme) -> ActionNode:
        self.backup()
        start = self.peek().start
        pipe = self.pipeline("command", TemplateToken.RIGHT_DELIM)
        return ActionNode(start, pipe.end, pipe, SourceSpan(delim.start, self.last_end))

    def _jump(self, keyword: str, token: Lexeme) -> JumpNode:
        follows = self.next_non_space()
        if follows.kind is not TemplateToken.RIGHT_DELIM:
            raise self.unexpected(follows, f"{{{{{keyword}}}}}")
        if self._range_depth == 0:
            raise self.error(f"{{{{{keyword}}}}} outside {{{{range}}}}")
        return JumpNode(token.start, token.end, keyword)

    def _end(self, delim: Lexeme) -> EndNode:
        self.expect(TemplateToken.RIGHT_DELIM, "end")
        return EndNode(delim.start, self.last_end, "end")

    def _else(self) -> EndNode:
        token = self.peek_non_space()
        # `_branch` reads an `if` or `with` that follows.
        if token.kind not in (TemplateToken.IF, TemplateToken.WITH):
            token = self.expect(TemplateToken.RIGHT_DELIM, "else")
        return EndNode(token.start, token.end, "else")

    def _branch(self, keyword: str, delim: Lexeme) -> BranchNode:
        variable_count = len(self.variables)
        pipe = self.pipeline(keyword, TemplateToken.RIGHT_DELIM)
        action = SourceSpan(delim.start, self.last_end)
        self._range_depth += keyword == "range"
        body, end = self._list()
        self._range_depth -= keyword == "range"
        otherwise = self._otherwise(keyword, end) if end.keyword == "else" else None
        del self.variables[variable_count:]
        return BranchNode(pipe.start, pipe.end, keyword, pipe, body, otherwise, action)

    def _otherwise(self, keyword: str, end: EndNode) -> NodeList:
        token = self.peek()
        if keyword in ("if", "with") and _BRANCHES.get(token.kind) == keyword:
            # `else if` is an `else` with an `if` in it, which ends both.
            self.next()
            self.enter()
            branch = self._branch(keyword, token)
            self.leave()
            return NodeList(end.start, end.end, [branch])
        otherwise, end = self._list()
        if end.keyword != "end":
            raise self.error(f"expected end; found {end}")
        return otherwise

    def _block(self, delim: Lexeme) -> TemplateNode:
        context = "block clause"
        token = self.next_non_space()
        name = self.template_name(token, context)
        pipe = self.pipeline(context, TemplateToken.RIGHT_DELIM)
        action = SourceSpan(delim.start, self.last_end)
        self._tree(name, context)
        return TemplateNode(token.start, pipe.end, name, pipe, action)

    def _template(self, delim: Lexeme) -> TemplateNode:
        context = "template clause"
        token = self.next_non_space()
        name = self.template_name(token, context)
        pipe: PipeNode | None = None
        if self.next_non_space().kind is not TemplateToken.RIGHT_DELIM:
            self.backup()
            pipe = self.pipeline(context, TemplateToken.RIGHT_DELIM)
        end = token.end if pipe is None else pipe.end
        return TemplateNode(token.start, end, name, pipe, SourceSpan(delim.start, self.last_end))


def parse_trees(source: str, limits: TemplateLimits) -> dict[str, NodeList]:
    """The templates in `source` by name; the source itself is the one called `NAME`.

    Raises:
        TemplateError: the source is not a template, or a limit is reached.
    """
    parser = TemplateParser(source, limits)
    try:
        parser.parse()
    except RecursionError:
        raise parser.beyond("the template is nested too deeply") from None
    return parser.trees
