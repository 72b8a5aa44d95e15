"""Regular expressions as patterns of Lua, which have no alternatives and no groups to repeat."""

from __future__ import annotations

from collections.abc import Iterator

_MOST = 64
_MAGIC = frozenset("^$()%.[]*+-?")
_CLASSES = {"d": "%d", "w": "[%w_]", "s": "%s", "D": "%D", "S": "%S", "W": "[^%w_]"}


def patterns(text: str) -> list[str]:
    """Patterns of which any matches where the expression does; raises `ValueError`."""
    reader = _PatternReader(text)
    alternatives = [*reader.alternatives()]
    if reader.rest:
        raise ValueError(f"unexpected `{reader.rest[0]}`")
    return alternatives


class _PatternReader:
    def __init__(self, text: str) -> None:
        self.rest = text

    def alternatives(self) -> Iterator[str]:
        """Each alternative up to a closing bracket or the end."""
        yield from self._sequence()
        while self.rest.startswith("|"):
            self._take()
            yield from self._sequence()

    def _sequence(self) -> list[str]:
        beginnings = [""]
        while self.rest and self.rest[0] not in "|)":
            items = self._item(is_first=beginnings == [""])
            beginnings = [beginning + item for beginning in beginnings for item in items]
            if len(beginnings) > _MOST:
                raise ValueError("too many alternatives")
        return beginnings

    def _item(self, *, is_first: bool) -> list[str]:
        char = self._take()
        if char == "(":
            return self._group()
        if char == "^" and is_first:
            return ["^"]
        if char == "$" and not self.rest.strip(")|"):
            return ["$"]
        if char == "$" and self.rest[:1] == "|":
            return ["$"]
        if char in "^$*+?{":
            raise ValueError(f"`{char}` here")
        if char == "[":
            item = self._set()
        elif char == "\\":
            item = self._escape()
        else:
            item = "." if char == "." else f"%{char}" if char in _MAGIC else char
        return [item + self._repetition()]

    def _group(self) -> list[str]:
        if self.rest.startswith("?"):
            if not self.rest.startswith("?:"):
                raise ValueError("a flag")
            self.rest = self.rest[2:]
        alternatives = [*self.alternatives()]
        if self._take() != ")":
            raise ValueError("an open bracket")
        if self._repetition():
            raise ValueError("a group that is repeated")
        return alternatives

    def _set(self) -> str:
        text = "["
        while True:
            char = self._take()
            if char == "]" and text not in ("[", "[^"):
                return f"{text}]"
            if char == "[" and self.rest.startswith(":"):
                raise ValueError("a named class")
            if char == "\\":
                char = self._take()
                text += _CLASSES.get(char, f"%{char}").strip("[]")
            elif char == "^" and text == "[":
                text += char
            else:
                text += f"%{char}" if char in "%]" else char

    def _escape(self) -> str:
        char = self._take()
        if char in _CLASSES:
            return _CLASSES[char]
        if char.isalnum():
            raise ValueError(f"`\\{char}`")
        return f"%{char}"

    def _repetition(self) -> str:
        if self.rest[:1] not in tuple("*+?{"):
            return ""
        sign = self._take()
        if sign == "{" or self.rest[:1] in tuple("*+?"):
            raise ValueError("a repetition that Lua lacks")
        return sign

    def _take(self) -> str:
        if not self.rest:
            raise ValueError("an unexpected end")
        char, self.rest = self.rest[0], self.rest[1:]
        return char
