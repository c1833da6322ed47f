"""The loops of the reference's entry, by which a kernel's threads are named: a small model copies their bodies, names and all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from regrapht.propose.form.reference_locals import locals_of
from regrapht.records.task import Arg, Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import LOOPS, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_COUNTER = (
    r"(?:(?:std::)?(?:size_t|ptrdiff_t|u?int\d+_t)|auto|(?:unsigned|signed)(?: (?:int|long|long long|short))?"
    r"|(?:long long|long|short)(?: int)?|int) (?P<name>\w+)"
)
_NUMBER = r"(?P<first>\d+)[uUlL]*"
_END = r"(?P<end>[^;?]+?)"
_STEPS = r"(?:\+\+(?P=name)|(?P=name) ?\+\+|(?P=name) ?\+= ?(?P<step>\d+)|(?P=name) ?= ?(?P=name) ?\+ ?(?P<added>\d+))"
_BACK = r"(?:-- ?(?P=name)|(?P=name) ?--|(?P=name) ?-= ?1|(?P=name) ?= ?(?P=name) ?- ?1)"
_HEADS = tuple(
    (kind, re.compile(r"for ?\( ?" + _COUNTER + " ?(?:= ?)" + rest + r" ?\)"))
    for kind, rest in (
        ("below", _NUMBER + r" ?; ?(?P=name) ?< ?(?!=)" + _END + " ?; ?" + _STEPS),
        ("up to", _NUMBER + r" ?; ?(?P=name) ?<= ?" + _END + " ?; ?" + _STEPS),
        ("until", _NUMBER + r" ?; ?(?P=name) ?!= ?" + _END + " ?; ?" + _STEPS),
        ("down to", _END + r" ?; ?(?P=name) ?>= ?" + _NUMBER + " ?; ?" + _BACK),
        ("down to above", _END + r" ?; ?(?P=name) ?> ?(?P<first>-1|\d+) ?; ?" + _BACK),
        ("down before", _END + r" ?; ?(?P=name) ?-- ?(?:> ?(?P<first>0)|!= ?0)? ?; ?"),
    )
)
"""How a counted loop's head reads, blanks made one."""
_CAST = re.compile(r"\((?:int|long|unsigned|size_t|u?int\d+_t)\)|(?:std::)?size_t\{")


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that counts, up or down: its turns are `first`, `first + step` and so on below `bound`."""

    name: str
    bound: str
    """As written, with the reference's own names for what sizes come to."""
    node: "Node"
    first: int = 0
    step: int = 1

    @property
    def counts_all(self) -> bool:
        """Whether it has a turn for every number from 0 to below its bound."""
        return self.first == 0 and self.step == 1


def nests_of(task: Task) -> list[tuple[Loop, ...]]:
    """Each innermost loop of the entry with those around it, the outermost first, in the text's order: those that count all from 0."""
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
    nest = around if loop is None or not loop.counts_all else (*around, loop)
    if body is None:
        return [nest] if nest else []
    return _of(body, nest) if body.type in LOOPS else _below(body, nest)


def counting(node: "Node") -> Loop | None:
    """The loop, where it counts from a number up to a bound, by 1 or by another number, or the same turns by 1 from the other end.

    Its head may move other things beside its counter: `moved_beside` has them.
    """
    for head in _heads(node):
        for kind, pattern in _HEADS:
            if (found := pattern.fullmatch(head)) is not None:
                parts = found.groupdict()
                first, end = int(parts["first"] or 0), parts["end"].strip()
                step = int(parts.get("step") or parts.get("added") or 1)
                if step < 1 or (kind == "until" and step != 1):
                    return None
                bound = _one_more(end) if kind in ("up to", "down to", "down to above") else end
                return Loop(found["name"], bound, node, first + (kind == "down to above"), step)
    return None


def moved_beside(loop: Loop) -> list["Node"]:
    """What the head of a loop changes after each turn beside its counter: `++to` of `++i, ++to`."""
    return [part for part in _updates(loop.node) if not re.search(rf"\b{loop.name}\b", text_of(part))]


def _heads(node: "Node") -> Iterator[str]:
    """The text of a loop's head with blanks made one; where it changes several things, with each of them alone."""
    body = node.child_by_field_name("body")
    if body is None:
        return
    begin = node.start_byte
    text = text_of(node).encode("utf-8", "replace")
    updates = _updates(node)
    if len(updates) < 2:
        yield " ".join(text[: body.start_byte - begin].decode("utf-8", "replace").split())
    for one in updates if len(updates) > 1 else ():
        head = (
            text[: updates[0].start_byte - begin],
            text_of(one).encode(),
            text[updates[-1].end_byte - begin : body.start_byte - begin],
        )
        yield " ".join(b"".join(head).decode("utf-8", "replace").split())


def _updates(node: "Node") -> list["Node"]:
    """The expressions that a loop's head has after each turn."""
    update = node.child_by_field_name("update")
    waiting, found = [update] if update is not None else [], []
    while waiting:
        one = waiting.pop(0)
        if one.type == "comma_expression":
            waiting = [*one.named_children, *waiting]
        else:
            found.append(one)
    return found


def _one_more(text: str) -> str:
    """The text of a number that is larger by one."""
    less = re.fullmatch(r"(.+?) ?- ?(\d+)", text)
    if less is None:
        return f"{text} + 1"
    return less[1] if less[2] == "1" else f"{less[1]} - {int(less[2]) - 1}"


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
    while node is not None and len(found) < 3 and (loop := counting(node)) is not None and not moved_beside(loop):
        counted = [bound for of in extents for extent in of if (bound := _bound_by(loop, extent, task))][:1]
        everywhere = all(any(_bound_by(loop, extent, task) for extent in of) for of in extents)
        if not counted or not everywhere or loop.name in known | locals_of(task).keys():
            break
        if not loop.counts_all and _reads_what_others_write(loop.node, {arg.name for arg in task.outputs}):
            break
        found.append(replace(loop, bound=counted[0]))
        node = only_loop(node.child_by_field_name("body"))
    return tuple(found)


def _bound_by(loop: Loop, extent: str, task: Task) -> str | None:
    """The loop's bound in the task's names, where it counts that extent, or what lies inside of its rim; None elsewhere."""
    if same_extent(loop.bound, extent, task):
        return extent
    inner = re.fullmatch(r"(.+?) ?- ?(\d+)", loop.bound)
    if inner is not None and loop.first > 0 and same_extent(inner[1], extent, task):
        return f"{extent if extent.isidentifier() else f'({extent})'} - {inner[2]}"
    return None


def _reads_what_others_write(loop: "Node", outputs: set[str]) -> bool:
    """Whether a turn reads an output where it does not write: loops that begin behind the first element often go on from it."""
    written: set[str] = set()
    read: set[str] = set()
    for node in walk(loop):
        if node.type != "subscript_expression" or text_of(node.child_by_field_name("argument")) not in outputs:  # type: ignore[arg-type]
            continue
        parent = node.parent
        changes = parent is not None and parent.type in ("assignment_expression", "update_expression")
        is_target = changes and parent.child_by_field_name("right") != node  # type: ignore[union-attr]
        (written if is_target else read).add("".join(text_of(node).split()))
    return bool(read - written)


def _does_nothing(node: "Node") -> bool:
    """Whether a statement beside the loops only names things, or returns where there is nothing to do."""
    if node.type == "if_statement" and node.child_by_field_name("alternative") is None:
        return text_of(node.child_by_field_name("consequence")).strip("{} \n;") == "return"  # type: ignore[arg-type]
    return node.type in ("declaration", "comment")


def names_of_indices(task: Task, output: Arg, extents: Sequence[str]) -> list[str | None]:
    """For each extent, the innermost first, the name of the loop that counts it in the nest that writes the output, or None.

    A loop in which the output is not written is a thread's own, whatever it counts up to.
    """
    best: tuple[tuple[int, bool], list[str | None]] = ((0, False), [None] * len(extents))
    write = re.compile(rf"\b{output.name}\s*\[[^;]*=(?!=)")
    by_name = write.search(task.reference.source.text) is not None
    for nest in nests_of(task):
        left, names = [one for one in nest if not by_name or write.search(text_of(one.node))], list[str | None]()
        for extent in reversed(extents):
            loop = next((one for one in left if same_extent(one.bound, extent, task)), None)
            names.append(loop.name if loop is not None else None)
            if loop is not None:
                left = left[left.index(loop) + 1 :]
        rank = (sum(name is not None for name in names), write.search(text_of(nest[-1].node)) is not None)
        if rank > best[0]:
            best = (rank, names[::-1])
    return best[1]


def only_loop(body: "Node | None") -> "Node | None":
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
