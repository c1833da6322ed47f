"""References whose pointers walk: where in each array the turn of one thread begins, when every turn walks over as many elements.

    const uint8_t* in = text;                    a thread has i of `quads`, and
    for (int i = 0; i < quads; ++i) {            const unsigned char* in = text + (long long)i * 4;
        for (int k = 0; k < 4; ++k) f(*in++);
        *out++ = ...

A small model copies such a turn as it stands. Without its place every thread begins at the first element.
"""

import functools
import itertools
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.reference_loops import Loop, counting, moved_beside, only_loop, same_extent
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import LOOPS, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_TIMES = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Walk:
    """The loops of an entry whose turns walk over outputs, the outermost first, and where a turn of theirs begins."""

    loops: tuple[Loop, ...]
    lines: tuple[str, ...]
    """A declaration, or a statement for a parameter that walks itself, for each pointer."""

    @property
    def turn(self) -> list[str]:
        """The lines of one turn, as the reference has them: what a thread does from there."""
        body = self.loops[-1].node.child_by_field_name("body")
        lines = (text_of(body) if body is not None else "").removeprefix("{").removesuffix("}").strip("\n").rstrip()
        return textwrap.dedent(lines).splitlines()


def walk_of(task: Task) -> Walk | None:
    """How the reference's entry walks; None where it does otherwise, or some turn walks further than another.

    Loops that are all of another's body are threads too, up to three, as far as no turn looks at another turn's output.
    """
    entries = read_unit(task.reference.source.text).named(task.entry)
    if len(entries) != 1:
        return None
    body = entries[0].body
    outer = [node for node in body.named_children if node.type in LOOPS]
    nest = _nest(outer[0]) if len(outer) == 1 else []
    arrays = {arg.name: arg for arg in task.parameters if arg.kind is ArgKind.ARRAY}
    pointers = _pointers(body, arrays)
    found = (_walk(nest[:depth], pointers, task) for depth in range(len(nest), 0, -1))
    return next((one for one in found if one is not None), None)


def _nest(node: "Node") -> list[Loop]:
    """The loop and those that are all of each other's bodies, while they count everything."""
    loop = counting(node)
    if loop is None or not loop.counts_all:
        return []
    inner = only_loop(node.child_by_field_name("body"))
    return [loop, *(_nest(inner) if inner is not None else [])][:3]


def _walk(nest: list[Loop], pointers: dict[str, Arg], task: Task) -> Walk | None:
    """How the turns of a nest walk."""
    turn = nest[-1].node.child_by_field_name("body")
    if turn is None or any(
        _changes(part, name) for one in nest[:-1] for part in moved_beside(one) for name in pointers
    ):
        return None
    moves = [turn, *moved_beside(nest[-1])]
    walked = {name: arg for name, arg in pointers.items() if any(_changes(part, name) for part in moves)}
    steps = {name: _sum_of(moves, name) for name in walked}
    if not walked or any(one is None for one in steps.values()) or _ends_early(turn, set(walked)):
        return None
    outputs = [name for name, arg in walked.items() if arg.is_output]
    whole = functools.reduce(_times, [_operand(one.bound) for one in nest])
    if not outputs or not all(_covers(steps[name] or "", whole, walked[name], task) for name in outputs):
        return None
    if len(nest) > 1 and any(_looks_around(turn, name) for name in outputs):
        return None
    return Walk(tuple(nest), tuple(_line(name, arg, steps[name] or "", nest) for name, arg in walked.items()))


def _ends_early(turn: "Node", walked: set[str]) -> bool:
    """Whether a turn can end, or leave a loop or a `switch` in it that moves a pointer, before it has walked as far as others."""
    for node in walk(turn):
        if node.type in ("return_statement", "goto_statement"):
            return True
        if node.type in ("break_statement", "continue_statement"):
            around = (*LOOPS, "switch_statement") if node.type == "break_statement" else LOOPS
            left = node.parent
            while left is not None and left != turn and left.type not in around:
                left = left.parent
            if left is None or left == turn or any(_changes(left, name) for name in walked):
                return True
    return False


def _looks_around(turn: "Node", name: str) -> bool:
    """Whether a turn uses a pointer at another place than its own: `out[-1]`, `*(out + 1)`, the pointer handed to a function."""
    for node in walk(turn):
        if node.type != "identifier" or text_of(node) != name or node.parent is None:
            continue
        parent = node.parent
        if parent.type == "update_expression" or (
            parent.type == "pointer_expression" and text_of(parent).startswith("*")
        ):
            continue
        if parent.type == "subscript_expression" and text_of(parent).replace(" ", "") == f"{name}[0]":
            continue
        if parent.type == "assignment_expression" and parent.child_by_field_name("left") == node:
            continue
        return True
    return False


def _pointers(body: "Node", arrays: dict[str, Arg]) -> dict[str, Arg]:
    """The entry's arrays, and its locals that begin at one of them, by name."""
    found = dict(arrays)
    for node in body.named_children:
        if node.type != "declaration":
            continue
        for one in node.children_by_field_name("declarator"):
            name, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
            if (
                name is not None
                and value is not None
                and name.type == "pointer_declarator"
                and text_of(value) in arrays
            ):
                found[text_of(name).lstrip("* ").removeprefix("__restrict__").strip()] = arrays[text_of(value)]
    return found


def _changes(node: "Node", name: str) -> bool:
    return any(_change(one, name) is not None for one in walk(node))


def _change(node: "Node", name: str) -> str | None:
    """By how much an expression moves the pointer: a number, or an expression; empty where that cannot be told, None where it does not."""
    text = " ".join(text_of(node).split())
    if node.type == "update_expression" and text.strip("+- ") == name:
        return "1" if "++" in text else ""
    if node.type == "assignment_expression" and text_of(node.child_by_field_name("left")) == name:  # type: ignore[arg-type]
        moved = re.fullmatch(rf"{name} ?(?:\+=|= ?{name} ?\+) ?(\w+)", text)
        return moved[1] if moved is not None else ""
    return None


def _steps(node: "Node", name: str) -> str | None:
    """What one pass of a statement moves the pointer by, as a product or a number; None where that differs or cannot be told."""
    own = _change(node, name)
    if own is not None:
        return own or None
    if node.type in ("if_statement", "conditional_expression", "switch_statement", "while_statement", "do_statement"):
        return None if _changes(node, name) else "0"
    if node.type in LOOPS:
        loop, body = counting(node), node.child_by_field_name("body")
        beside = moved_beside(loop) if loop is not None else []
        inner = _sum_of([*beside, *([body] if body is not None else [])], name)
        if inner is None or (loop is None and _changes(node, name)):
            return None
        if inner == "0":
            return "0"
        whole = loop is not None and loop.counts_all and _TIMES.fullmatch(loop.bound) is not None
        return None if loop is None or inner is None or not whole else _times(loop.bound, inner)
    return _sum_of(node.named_children, name)


def _sum_of(nodes: "Sequence[Node]", name: str) -> str | None:
    """What several statements move the pointer by together."""
    parts = [_steps(child, name) for child in nodes]
    if any(one is None for one in parts):
        return None
    return _sum([one for one in parts if one is not None and one != "0"])


def _sum(parts: list[str]) -> str | None:
    if all(one.isdigit() for one in parts):
        return str(sum(map(int, parts)))
    return parts[0] if len(parts) == 1 else None


def _times(one: str, other: str) -> str:
    if one.isdigit() and other.isdigit():
        return str(int(one) * int(other))
    return one if other == "1" else other if one == "1" else f"{one} * {other}"


def _operand(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _covers(steps: str, turns: str, output: Arg, task: Task) -> bool:
    """Whether all turns together walk over the whole output."""
    whole = " * ".join(one.c_text if one.c_text.isidentifier() else f"({one.c_text})" for one in output.shape)
    walked = _times(turns, steps)
    return same_extent(walked, whole, task) or (
        len(output.shape) == 1 and same_extent(walked, output.shape[0].c_text, task)
    )


def _line(name: str, arg: Arg, steps: str, nest: list[Loop]) -> str:
    place = f"(long long){nest[0].name}"
    for above, loop in itertools.pairwise(nest):
        place = f"{place if above is nest[0] else f'({place})'} * {_operand(loop.bound)} + {loop.name}"
    offset = place if steps == "1" else f"{place if len(nest) == 1 else f'({place})'} * {steps}"
    if name == arg.name:
        return f"{name} += {offset};"
    const = "" if arg.is_output else "const "
    return f"{const}{arg.dtype.c_name}* {name} = {arg.name} + {offset};"
