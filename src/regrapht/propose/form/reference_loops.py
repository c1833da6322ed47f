"""The loops of the reference's entry, by which a kernel's threads are named: a small model copies their bodies, names and all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from regrapht.propose.form.reference_locals import locals_of
from regrapht.records.task import Arg, Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import LOOPS, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_COUNTS_UP = re.compile(
    r"for\s*\(\s*(?:std::)?(?:int|unsigned|long|long long|size_t|u?int\d+_t|unsigned int)\s+(\w+)\s*=\s*0\s*;"
    r"\s*\1\s*<\s*([^;?]+);\s*(?:\+\+\1|\1\+\+|\1\s*\+=\s*1)\s*\)"
)
_CAST = re.compile(r"\((?:int|long|unsigned|size_t|u?int\d+_t)\)|(?:std::)?size_t\{")


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop from 0 upwards by 1."""

    name: str
    bound: str
    """As written, with the reference's own names for what sizes come to."""
    node: "Node"


def nests_of(task: Task) -> list[tuple[Loop, ...]]:
    """Each innermost loop of the entry with those around it, the outermost first, in the text's order: those that count from 0 by 1."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    return _below(entries[0].body, ()) if len(entries) == 1 else []


def _below(node: "Node", around: tuple[Loop, ...]) -> list[tuple[Loop, ...]]:
    found: list[tuple[Loop, ...]] = []
    for child in node.named_children:
        if child.type in LOOPS:
            found += _of(child, around)
        elif child.type in ("compound_statement", "if_statement", "else_clause"):
            found += _below(child, around)
    return found or ([around] if around else [])


def _of(node: "Node", around: tuple[Loop, ...]) -> list[tuple[Loop, ...]]:
    """The nests of one loop; one that does not count has no name in them."""
    loop, body = counting(node), node.child_by_field_name("body")
    nest = around if loop is None else (*around, loop)
    if body is None:
        return [nest] if nest else []
    return _of(body, nest) if body.type in LOOPS else _below(body, nest)


def counting(node: "Node") -> Loop | None:
    """The loop, where it counts from 0 up to a bound by 1."""
    body = node.child_by_field_name("body")
    head = text_of(node)[: body.start_byte - node.start_byte] if body is not None else ""
    found = _COUNTS_UP.fullmatch(" ".join(head.split()))
    return Loop(found[1], found[2].strip(), node) if found else None


def same_extent(one: str, other: str, task: Task) -> bool:
    """Whether two texts are one number: the reference's names for sizes put in, blanks and casts aside, factors in any order."""
    return _plain(one, task) == _plain(other, task)


def _plain(text: str, task: Task) -> tuple[str, ...]:
    values = {name: declared.partition("=")[2].strip(" ;") for name, (declared, _) in locals_of(task).items()}
    for _ in range(4):
        text = re.sub(r"[A-Za-z_]\w*", lambda found: f"({values[found[0]]})" if found[0] in values else found[0], text)
    text = _bare(re.sub(r"\s+", "", _CAST.sub("", text)))
    return tuple(sorted(map(_bare, _factors(text))))


def _bare(text: str) -> str:
    """Without parentheses around the whole, or around a single word."""
    text = re.sub(r"(?<![\w])\((\w+)\)", r"\1", text)
    while text.startswith("(") and text.endswith(")") and _closes(text) == len(text) - 1:
        text = text[1:-1]
    return text


def _closes(text: str) -> int:
    """Where the first parenthesis is closed."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at
    return -1


def _factors(text: str) -> list[str]:
    """What a product is made of; the text itself for any other expression."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in "+-/%":
            return [text]
        if depth == 0 and character == "*":
            parts.append("")
        else:
            parts[-1] += character
    return parts


def turns_of_threads(task: Task) -> tuple[Loop, ...]:
    """The outer loops of which each turn can be a thread's, outermost first, up to three: a nest that is all that the entry does.

    Every turn of theirs has a part of each output, as far as bounds tell: they count the elements of one of its dimensions. Empty where the
    entry does more than one nest, keeps anything from turn to turn in a local, or counts something else, steps of time among it.
    """
    entries = read_unit(task.reference.source.text).named(task.entry)
    if len(entries) != 1:
        return ()
    body = entries[0].body
    loops = [node for node in body.named_children if node.type == "for_statement"]
    others = [node for node in body.named_children if node not in loops and not _does_nothing(node)]
    if len(loops) != 1 or others or _keeps_a_local(body, loops[0]):
        return ()
    known = {arg.name for arg in task.parameters}
    extents = [[one.c_text for one in arg.shape if not one.text.isdigit()] for arg in task.outputs]
    found: list[Loop] = []
    node: Node | None = loops[0]
    while node is not None and len(found) < 3 and (loop := counting(node)) is not None:
        counted = [extent for of in extents for extent in of if same_extent(loop.bound, extent, task)][:1]
        everywhere = all(any(same_extent(loop.bound, extent, task) for extent in of) for of in extents)
        if not counted or not everywhere or loop.name in known | locals_of(task).keys():
            break
        found.append(replace(loop, bound=counted[0]))
        node = _only_loop(node.child_by_field_name("body"))
    return tuple(found)


def _does_nothing(node: "Node") -> bool:
    """Whether a statement beside the loops only names things, or returns where there is nothing to do."""
    if node.type == "if_statement" and node.child_by_field_name("alternative") is None:
        return text_of(node.child_by_field_name("consequence")).strip("{} \n;") == "return"  # type: ignore[arg-type]
    return node.type in ("declaration", "comment")


def names_of_indices(task: Task, output: Arg, extents: Sequence[str]) -> list[str | None]:
    """For each extent, the innermost first, the name of the loop that counts it in the nest that writes the output, or None."""
    best: tuple[tuple[int, bool], list[str | None]] = ((0, False), [None] * len(extents))
    for nest in nests_of(task):
        left, names = list(nest), list[str | None]()
        for extent in reversed(extents):
            loop = next((one for one in left if same_extent(one.bound, extent, task)), None)
            names.append(loop.name if loop is not None else None)
            if loop is not None:
                left = left[left.index(loop) + 1 :]
        writes = re.search(rf"\b{output.name}\s*\[[^;]*=(?!=)", text_of(nest[-1].node)) is not None
        rank = (sum(name is not None for name in names), writes)
        if rank > best[0]:
            best = (rank, names[::-1])
    return best[1]


def _only_loop(body: "Node | None") -> "Node | None":
    """The loop that is all of a loop's body."""
    if body is None or body.type == "for_statement":
        return body
    held = [node for node in body.named_children if node.type != "comment"]
    return held[0] if len(held) == 1 and held[0].type == "for_statement" else None


def _keeps_a_local(body: "Node", loop: "Node") -> bool:
    """Whether the loop changes a number that the entry declares before it: what one turn leaves, the next one has."""
    declared: set[str] = set()
    for node in body.named_children:
        if node.type == "declaration":
            for one in node.children_by_field_name("declarator"):
                name = one.child_by_field_name("declarator") if one.type == "init_declarator" else one
                declared |= {text_of(name)} if name is not None else set()
    for node in walk(loop):
        if node.type == "assignment_expression" and text_of(node.child_by_field_name("left")) in declared:  # type: ignore[arg-type]
            return True
        if node.type == "update_expression" and text_of(node).strip("+- ") in declared:
            return True
    return False
