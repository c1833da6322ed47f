"""Vectors that a nest of counted loops appends to in every turn: how long they become, and where an element is."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import receiver_of, span, through
from regrapht.tasks.project.outer_statements import OuterStatements

_LEAVES = {"BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT", "GOTO_STMT", "CXX_THROW_EXPR"}
_LOOPS = ("FOR_STMT", "CXX_FOR_RANGE_STMT")
_APPENDING = ("push_back", "emplace_back")
Text = Callable[[Cursor], str]


@dataclass(frozen=True, slots=True)
class Turns:
    """One counted loop: `for (int i = first; i < end; ++i)`, or one over a range."""

    loop: tuple[int, int]
    """Where it stands."""
    variable: Cursor
    first: Cursor
    """The range itself where it is over one."""
    end: Cursor | None
    closed: bool
    """Whether the end counts."""

    def count(self, text: Text) -> str:
        """How many turns it makes; `text` gives the length of a range."""
        if self.end is None:
            return text(self.first)
        start = "" if (first := text(self.first)) == "0" else f" - {first}"
        return f"{text(self.end)}{start}{' + 1' if self.closed else ''}"


@dataclass(frozen=True, slots=True)
class Push:
    """One `push_back`."""

    loop: tuple[int, int]
    """Where the outermost loop stands."""
    nest: tuple[Turns, ...]
    receiver: Cursor
    place: int
    """Which one it is in a turn, of so many."""
    each: int

    @property
    def bounds(self) -> list[Cursor]:
        return [bound for one in self.nest for bound in (one.first, one.end) if bound is not None]

    def count(self, text: Text) -> str:
        """How many elements the whole nest appends."""
        parts = [f"({one.count(text)})" for one in self.nest]
        return " * ".join([*parts, str(self.each)] if self.each > 1 else parts)

    def safe_count(self, text: Text) -> str:
        """The same, 0 for a loop that has no turn."""
        parts = [
            f"std::size_t({text(one.end)} {'>=' if one.closed else '>'} {text(one.first)} ? {one.count(text)} : 0)"
            if one.end is not None
            else one.count(text)
            for one in self.nest
        ]
        return " * ".join([*parts, str(self.each)] if self.each > 1 else parts)

    def index(self, text: Text, turns: Mapping[tuple[int, int], str]) -> str:
        """The place of its element; `turns` are what counts loops over ranges, by where they stand."""
        flat = ""
        for one in self.nest:
            start = "" if one.end is None or (first := text(one.first)) == "0" else f" - {first}"
            turn = turns[one.loop] if one.end is None else f"{one.variable.spelling}{start}"
            flat = f"({flat}) * ({one.count(text)}) + ({turn})" if flat else turn
        return f"({flat}) * {self.each} + {self.place}" if self.each > 1 else flat


def pushes_of(outer: OuterStatements) -> dict[tuple[int, int], Push]:
    """Where an element is appended -> what is known of it, for nests of the body's outermost block that do so in every turn."""
    found: dict[tuple[int, int], Push] = {}
    for statement in outer.body.get_children():
        if statement.kind.name not in _LOOPS or any(
            one.kind.name in _LEAVES or one.kind.name == "LAMBDA_EXPR" for one in statement.walk_preorder()
        ):
            continue
        calls = list(_calls(statement, ()))
        for call, nest in calls:
            turns = [_turns(loop, outer) for loop in nest]
            if any(one is None for one in turns):
                continue
            receiver = receiver_of(call)
            same = [(other, loops) for other, loops in calls if _text_of(other) == _text_of(call)]
            every = [one for one in statement.walk_preorder() if _appends(one) and _text_of(one) == _text_of(call)]
            if len(every) != len(same) or any(loops != nest for _, loops in same) or receiver is None:
                continue
            found[span(call)] = Push(
                loop=span(statement),
                nest=tuple(one for one in turns if one is not None),
                receiver=receiver,
                place=[span(other) for other, _ in same].index(span(call)),
                each=len(same),
            )
    return found


def _calls(node: Cursor, nest: tuple[Cursor, ...]) -> Iterator[tuple[Cursor, tuple[Cursor, ...]]]:
    """What is appended in every turn of the loops around it."""
    node = through(node)
    if node.kind.name in _LOOPS:
        children = list(node.get_children())
        yield from _calls(children[-1], (*nest, node))
    elif node.kind.name == "COMPOUND_STMT":
        for child in node.get_children():
            yield from _calls(child, nest)
    elif _appends(node):
        yield node, nest


def _appends(node: Cursor) -> bool:
    return node.kind.name == "CALL_EXPR" and node.spelling in _APPENDING and len(list(node.get_arguments())) == 1


def _text_of(call: Cursor) -> str:
    """The name of what is appended to."""
    receiver = receiver_of(call)
    return " ".join(one.spelling for one in receiver.get_tokens()) if receiver is not None else ""


def _turns(loop: Cursor, outer: OuterStatements) -> Turns | None:
    """A loop as counted one by one; None for another, and where its body changes the counter."""
    parts = list(loop.get_children())
    if loop.kind.name == "CXX_FOR_RANGE_STMT":
        return Turns(span(loop), parts[0], through(parts[1]), None, False)
    if len(parts) != 4 or parts[0].kind.name != "DECL_STMT":
        return None
    declared = list(parts[0].get_children())
    if len(declared) != 1 or declared[0].kind.name != "VAR_DECL":
        return None
    variable = declared[0]
    values = [one for one in variable.get_children() if one.kind.is_expression()]
    test, step = through(parts[1]), through(parts[2])
    sides = [through(one) for one in test.get_children()]
    operator = _operator(test, sides)
    counted = step.kind.name == "UNARY_OPERATOR" and "++" in outer.unit.source(step) and _is(step, variable)
    changes = variable.get_usr() in outer.changed_in(parts[3])
    good = values and counted and not changes and operator in ("<", "<=") and sides[0].referenced == variable
    return Turns(span(loop), variable, values[-1], sides[1], operator == "<=") if good else None


def _is(step: Cursor, variable: Cursor) -> bool:
    inner = through(next(iter(step.get_children())))
    return bool(inner.kind.name == "DECL_REF_EXPR" and inner.referenced == variable)


def _operator(test: Cursor, sides: list[Cursor]) -> str:
    if test.kind.name != "BINARY_OPERATOR" or len(sides) != 2 or sides[0].kind.name != "DECL_REF_EXPR":
        return ""
    end = sides[0].extent.end.offset
    return next((one.spelling for one in test.get_tokens() if one.extent.start.offset >= end), "")
