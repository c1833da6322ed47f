"""References whose pointers walk: where in each array the turn of one thread begins, when every turn walks over as many elements.

    const uint8_t* in = text;                    a thread has i of `quads`, and
    for (int i = 0; i < quads; ++i) {            const unsigned char* in = text + (long long)i * 4;
        for (int k = 0; k < 4; ++k) f(*in++);
        *out++ = ...

A small model copies such a turn as it stands. Without its place every thread begins at the first element.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.reference_loops import Loop, counting, same_extent
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import LOOPS, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_TIMES = re.compile(r"\w+")
_LEAVES = ("break_statement", "continue_statement", "return_statement", "goto_statement")
"""What lets a turn end before it has walked as far as others."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The one loop of an entry whose turns walk over outputs, and where a turn begins."""

    loop: Loop
    lines: tuple[str, ...]
    """A declaration, or a statement for a parameter that walks itself, for each pointer."""


def walk_of(task: Task) -> Walk | None:
    """How the reference's entry walks; None where it does otherwise, or some turn walks further than another."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    if len(entries) != 1:
        return None
    body = entries[0].body
    loops = [node for node in body.named_children if node.type in LOOPS]
    loop = counting(loops[0]) if len(loops) == 1 else None
    turn = loops[0].child_by_field_name("body") if loop is not None else None
    if loop is None or turn is None or not loop.counts_all or any(node.type in _LEAVES for node in walk(turn)):
        return None
    arrays = {arg.name: arg for arg in task.parameters if arg.kind is ArgKind.ARRAY}
    walked = {name: arg for name, arg in _pointers(body, arrays).items() if _changes(turn, name)}
    steps = {name: _steps(turn, name) for name in walked}
    if not walked or any(one is None for one in steps.values()):
        return None
    outputs = [name for name, arg in walked.items() if arg.is_output]
    if not outputs or not all(_covers(steps[name] or "", loop, walked[name], task) for name in outputs):
        return None
    return Walk(loop, tuple(_line(name, arg, steps[name] or "", loop) for name, arg in walked.items()))


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
        inner = _steps(body, name) if body is not None else "0"
        if any(_changes(part, name) for part in node.named_children if part != body):
            return None
        if inner == "0":
            return "0"
        whole = loop is not None and loop.counts_all and _TIMES.fullmatch(loop.bound) is not None
        return None if loop is None or inner is None or not whole else _times(loop.bound, inner)
    parts = [_steps(child, name) for child in node.named_children]
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


def _covers(steps: str, loop: Loop, output: Arg, task: Task) -> bool:
    """Whether all turns together walk over the whole output."""
    whole = " * ".join(one.c_text if one.c_text.isidentifier() else f"({one.c_text})" for one in output.shape)
    walked = _times(loop.bound, steps)
    return same_extent(walked, whole, task) or (
        len(output.shape) == 1 and same_extent(walked, output.shape[0].c_text, task)
    )


def _line(name: str, arg: Arg, steps: str, loop: Loop) -> str:
    offset = f"(long long){loop.name}" + ("" if steps == "1" else f" * {steps}")
    if name == arg.name:
        return f"{name} += {offset};"
    const = "" if arg.is_output else "const "
    return f"{const}{arg.dtype.c_name}* {name} = {arg.name} + {offset};"
