"""Where in a source a missing barrier belongs: between which statements, or at the end of which loop's body."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from regrapht.source.syntax import LOOPS, declared_name, function_declarator, parse, text_of, walk
from regrapht.source.tokens import without_comments

_FUNCTIONS = ("function_definition", "lambda_expression")
_BARRIER = re.compile(r"\b(__sync\w+|sync)\s*\(")


@dataclass(frozen=True, slots=True)
class Gap:
    """Between two statements of one list: after the line `after`, before the line `before`."""

    block: int
    """Names the list of statements."""
    after: int
    before: int


@dataclass(frozen=True, slots=True)
class Loop:
    """The innermost loop around two lines."""

    line: int
    first: int
    last: int
    """The lines of its body."""
    after: int
    """The last line of the statement of the body in which the second of the two lies: a barrier at the body's end comes after it."""
    has_barrier: bool
    """As its text says: one that a function of the program makes is not seen."""


@dataclass(frozen=True, slots=True)
class Function:
    """The innermost function around a line."""

    name: str
    """Its name, or which line it begins in where it has none."""
    line: int
    kernel: bool


class BarrierPlaces:
    """The statements of one source, by line. A source that cannot be parsed has none."""

    def __init__(self, source: str) -> None:
        self._source = source

    def gap(self, first: int, second: int) -> Gap | None:
        """Where every thread passes after `first` and before `second`, in the innermost list that has both; None where they lie in one
        statement, as do the two branches of an `if`."""
        block = self._innermost(self._lists, first, second)
        if block is None:
            return None
        earlier = [each for each in _statements(block) if _covers(each, first)]
        later = [each for each in _statements(block) if _covers(each, second)]
        if not earlier or not later or _last(earlier[-1]) >= _first(later[0]):
            return None
        return Gap(block.start_byte, _last(earlier[-1]), _first(later[0]))

    def loop(self, first: int, second: int) -> Loop | None:
        """The innermost loop whose body has both lines."""
        body = self._innermost(self._bodies, first, second)
        if body is None:
            return None
        inside = (
            [each for each in _statements(body) if _covers(each, second)] if body.type == "compound_statement" else []
        )
        text = "\n".join(self._lines[_first(body) - 1 : _last(body)])
        return Loop(
            line=_first(body.parent),
            first=_first(body),
            last=_last(body),
            after=_last(inside[-1]) if inside else _last(body),
            has_barrier=_BARRIER.search(text) is not None,
        )

    def function(self, line: int) -> Function | None:
        """The function that a line belongs to."""
        node = self._innermost(self._functions, line, line)
        if node is None:
            return None
        declarator = function_declarator(node) if node.type == "function_definition" else None
        name = text_of(declared_name(declarator)) if declarator is not None else ""
        if not re.fullmatch(r"\w{1,60}", name):  # a lambda, an operator
            name = f"the function in line {_first(node)}"
        head = "\n".join(self._lines[_first(node) - 1 : _first(node.child_by_field_name("body") or node)])
        return Function(name, _first(node), "__global__" in head)

    @cached_property
    def _lines(self) -> list[str]:
        return without_comments(self._source, without_strings=True).split("\n")

    @cached_property
    def _nodes(self) -> list[Any]:
        kinds = ("compound_statement", *LOOPS, *_FUNCTIONS)
        return [node for node in walk(parse(self._source, cuda=True)) if node.type in kinds]

    @cached_property
    def _lists(self) -> list[Any]:
        return [node for node in self._nodes if node.type == "compound_statement"]

    @cached_property
    def _bodies(self) -> list[Any]:
        bodies = (node.child_by_field_name("body") for node in self._nodes if node.type in LOOPS)
        return [body for body in bodies if body is not None]

    @cached_property
    def _functions(self) -> list[Any]:
        return [node for node in self._nodes if node.type in _FUNCTIONS]

    def _innermost(self, nodes: list[Any], first: int, second: int) -> Any:
        around = [node for node in nodes if _covers(node, first) and _covers(node, second)]
        return min(around, key=lambda node: node.end_byte - node.start_byte, default=None)


def _statements(block: Any) -> list[Any]:
    return [child for child in block.named_children if child.type != "comment"]


def _first(node: Any) -> int:
    return int(node.start_point[0]) + 1


def _last(node: Any) -> int:
    return int(node.end_point[0]) + 1


def _covers(node: Any, line: int) -> bool:
    return _first(node) <= line <= _last(node)
