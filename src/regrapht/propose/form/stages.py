"""A reference's entry of several nests of loops as kernels one after another, with what one thread does and what the host repeats.

std::vector<float> gain(height * width);                     memory of the device
for (y ...) for (x ...) gain[y * width + x] = ...            a stage with a thread for each y and x
for (int round = 0; round < rounds; ++round) {               the host's loop
    for (y ...) for (x ...) next[...] = ... now[...]         a stage of it
    std::swap(now, next);                                    the host's, of two pointers
}
*total = 0;                                                  a stage of one thread
for (i ...) *total += out[i];                                a stage whose threads add to one place
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.own_turns import Entry
from regrapht.propose.form.program import calls_of
from regrapht.propose.form.reference_arrays import arrays_of
from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.propose.form.reference_locals import locals_of
from regrapht.propose.form.reference_loops import Loop, counting
from regrapht.propose.form.reference_values import OF_THE_HOST, Named, values_of
from regrapht.propose.form.scopes import declaration_of, declared_names
from regrapht.records.task import ArgKind, Role, Task
from regrapht.source.functions import FunctionDefinition, SourceUnit, read_unit
from regrapht.source.syntax import LOOPS, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_SWAP = re.compile(r"(?:std::swap|swap)\(\s*(\w+)\s*,\s*(\w+)\s*\);|(\w+)\.swap\(\s*(\w+)\s*\);")
_UNUSED = re.compile(r"\(void\)\s*\w+;")
_RETURN = re.compile(r"\{?\s*return;\s*\}?")
_WIDE = re.compile(
    r"(?:unsigned |signed )?(?:int|long|long long|unsigned)|float|double|(?:std::)?(?:size_t|u?int(?:32|64)_t)"
)
NAMINGS = ("alias_declaration", "using_declaration")
"""Statements that say how things are called; each kernel of the entry has them."""
_JUMPS = ("break_statement", "continue_statement", "return_statement", "goto_statement")


@dataclass(frozen=True, slots=True)
class Stage:
    """One kernel."""

    nodes: tuple["Node", ...]
    """The statements of the reference that it stands for."""
    loops: tuple[Loop, ...] = ()
    """The loops of which each turn is a thread's, the outermost first; none where one thread does all."""
    between: tuple["Node", ...] = ()
    """What the reference declares between these loops."""
    added_to: frozenset[str] = frozenset()
    """What several threads add to."""

    @property
    def turn(self) -> list[str]:
        """What a thread does, as the reference has it."""
        if not self.loops:
            return [text_of(node) for node in self.nodes]
        body = self.loops[-1].node.child_by_field_name("body")
        text = text_of(body) if body is not None else ""
        inside = text[1:-1].strip("\n").rstrip() if text.startswith("{") else text
        return textwrap.dedent(inside).splitlines()


@dataclass(frozen=True, slots=True)
class Repeat:
    """A loop of the host around stages."""

    head: str
    counter: str
    type_text: str
    steps: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Two pointers to memory of the device change places."""

    one: str
    other: str


Step = Stage | Repeat | Swap


def pure_values_of(task: Task) -> dict[str, Named]:
    """Names of the entry's for what its parameters and counters come to, which any kernel can declare again: no room to be filled."""
    (entry,) = read_unit(task.reference.source.text).named(task.entry)
    nodes = list(walk(entry.body))
    filled = {name for node in nodes for name in _filled_by(node)}
    heads = [node.child_by_field_name("initializer") for node in nodes if node.type == "for_statement"]
    known = {name for head in heads if head is not None for name in declared_names(head)}
    known |= {arg.name for arg in task.parameters} | locals_of(task).keys() | helpers_of(task).keys()
    waiting = {
        name: one
        for name, one in values_of(task).items()
        if not one.text.endswith("];") and (name not in filled or re.search(r"[*&]", one.text.partition("=")[0]))
    }
    found: dict[str, Named] = {}
    while fits := {name for name, one in waiting.items() if one.needs <= known | found.keys()}:
        found |= {name: waiting.pop(name) for name in list(waiting) if name in fits}
    return found


def _filled_by(node: "Node") -> Iterator[str]:
    """The variable of which an expression changes an element or a field."""
    field = {"assignment_expression": "left", "update_expression": "argument"}.get(node.type)
    at = node.child_by_field_name(field) if field is not None else None
    while at is not None and at.type in ("subscript_expression", "field_expression"):
        at = at.child_by_field_name("argument")
    if at is not None and at.type == "identifier":
        yield text_of(at)


class _Unfit(Exception):
    """The entry does something for which there is no kernel and nothing for the host."""


def stages_of(task: Task) -> tuple[Step, ...]:
    """The entry's steps in its order; none where it is a single nest, has no part with threads, or does anything that is no step."""
    unit = read_unit(task.reference.source.text)
    entries = unit.named(task.entry)
    if len(entries) != 1:
        return ()
    reader = _Reader(task, entries[0], unit)
    try:
        steps = tuple(reader.steps(entries[0].body, reader.known))
    except _Unfit:
        return ()
    kernels = list(kernels_of(steps))
    is_several = len(kernels) > 1 or any(isinstance(step, Repeat) for step in steps)
    return steps if is_several and any(kernel.loops for kernel in kernels) else ()


def kernels_of(steps: tuple[Step, ...]) -> Iterator[Stage]:
    """All stages, those of the host's loops among them."""
    for step in steps:
        if isinstance(step, Stage):
            yield step
        elif isinstance(step, Repeat):
            yield from kernels_of(step.steps)


class _Reader:
    """Reads an entry's statements."""

    def __init__(self, task: Task, function: FunctionDefinition, unit: SourceUnit) -> None:
        self.task, self.function = task, function
        readers = {
            one.name
            for one in unit.functions
            if all(p.is_const or not (p.pointer_depth or p.is_reference) for p in one.parameters)
        }
        constant = {arg.name for arg in task.parameters if arg.kind is ArgKind.ARRAY and arg.role is Role.IN}
        self.entry = Entry(function, constant, readers)
        self.known = {arg.name for arg in task.parameters if arg.kind is not ArgKind.ARRAY} | locals_of(task).keys()
        self.known |= {name for name in helpers_of(task) if not re.search(rf"\b{name}\s*\(", helpers_of(task)[name])}
        self.arrays = arrays_of(task)
        self.vectors = {one.name for one in unit.functions if any("vector" in p.type_text for p in one.parameters)}
        self.told = self.arrays.keys() | locals_of(task).keys() | pure_values_of(task).keys()

    def steps(self, body: "Node", known: set[str]) -> list[Step]:
        """The steps of a block."""
        found: list[Step] = []
        for node in body.named_children:
            step = self._step(node, known)
            before = found[-1] if found else None
            if isinstance(step, Stage) and not step.loops and isinstance(before, Stage) and not before.loops:
                found[-1] = Stage((*before.nodes, *step.nodes))
            elif step is not None:
                found.append(step)
        return found

    def _step(self, node: "Node", known: set[str]) -> Step | None:
        """What a statement is; None where it needs no step."""
        text = " ".join(text_of(node).split())
        if node.type == "comment" or _UNUSED.fullmatch(text) or self._only_returns(node, known):
            return None
        if node.type in NAMINGS and node.parent == self.function.body:
            return None
        if node.type in NAMINGS or any(called in self.vectors for called, _, _ in calls_of(node)):
            raise _Unfit
        if node.type == "declaration":
            names, kind = declared_names(node), node.child_by_field_name("type")
            if names and names <= self.told:
                return None
            if kind is not None and OF_THE_HOST.search(text_of(kind)) is not None:
                raise _Unfit
            return Stage((node,))
        if node.type == "expression_statement" and (swap := _SWAP.fullmatch(text)) is not None:
            one, other = swap[1] or swap[3], swap[2] or swap[4]
            if one in self.arrays and other in self.arrays:
                return Swap(one, other)
        if node.type == "for_statement":
            return self._of_a_loop(node, known)
        if any(one.type in _JUMPS and not _is_inside(one, node) for one in walk(node)):
            raise _Unfit
        return Stage((node,))

    def _only_returns(self, node: "Node", known: set[str]) -> bool:
        """Whether a statement returns where sizes leave nothing to do, which no launch does either."""
        then = node.child_by_field_name("consequence") if node.type == "if_statement" else None
        condition = node.child_by_field_name("condition")
        if then is None or condition is None or node.child_by_field_name("alternative") is not None:
            return False
        return _RETURN.fullmatch(text_of(then)) is not None and _names(condition) <= known

    def _of_a_loop(self, node: "Node", known: set[str]) -> Step:
        loops, between = self._threads(node, known)
        if loops:
            return Stage((node,), loops, between)
        if (repeat := self._repeat(node, known)) is not None:
            return repeat
        loop = counting(node)
        if loop is not None and self._is_known(loop, known):
            added = self.entry.turns(loop).added_to
            if added and all(map(self._takes_atomics, added)):
                return Stage((node,), (loop,), (), added)
        return Stage((node,))

    def _threads(self, node: "Node", known: set[str]) -> tuple[tuple[Loop, ...], tuple["Node", ...]]:
        """The loops whose turns are apart, up to three, and what is declared between them."""
        loops: list[Loop] = []
        between: list[Node] = []
        waiting: list[Node] = []
        inner: Node | None = node
        while inner is not None and len(loops) < 3:
            loop = counting(inner)
            if loop is None or not self._is_known(loop, known) or not self.entry.turns(loop).are_apart:
                break
            loops.append(loop)
            between += waiting
            waiting, inner = _declared_before_a_loop(inner.child_by_field_name("body"))
        return tuple(loops), tuple(between)

    def _is_known(self, loop: Loop, known: set[str]) -> bool:
        """Whether the host can count the loop's turns, and a thread can have the counter's name."""
        names = frozenset(re.findall(r"\b[A-Za-z_]\w*", loop.bound)) - {"size_t", "std", "int", "long"}
        is_called = re.search(r"\w\s*\(\s*\w", re.sub(r"\((?:size_t|int|long|long long)\)", "", loop.bound)) is not None
        return names <= known and loop.name not in known and not is_called

    def _repeat(self, node: "Node", known: set[str]) -> Repeat | None:
        """The loop as the host's, where all that it does has threads, or is a statement of one thread."""
        declared, body = node.child_by_field_name("initializer"), node.child_by_field_name("body")
        if declared is None or declared.type != "declaration" or body is None or len(declared_names(declared)) != 1:
            return None
        (counter,) = declared_names(declared)
        head = text_of(node).encode()[: body.start_byte - node.start_byte].decode().strip()
        if counter in known or "?" in head or not _names_of_head(node, body) <= known | {counter}:
            return None
        inside = body if body.type == "compound_statement" else None
        try:
            steps = tuple(
                self.steps(inside, known | {counter}) if inside else [self._of_a_loop(body, known | {counter})]
            )
        except _Unfit:
            return None
        stages = list(kernels_of(steps))
        fits = [bool(stage.loops) or all(one.type == "expression_statement" for one in stage.nodes) for stage in stages]
        if not any(stage.loops for stage in stages) or not all(fits) or any(stage.added_to for stage in stages):
            return None
        kind = declared.child_by_field_name("type")
        return Repeat(" ".join(head.split()), counter, text_of(kind) if kind is not None else "int", steps)

    def _takes_atomics(self, name: str) -> bool:
        """Whether elements of an array, or a number, are of a type that the device can add to at once."""
        args = {arg.name: arg for arg in self.task.parameters}
        if name in args:
            return _WIDE.fullmatch(args[name].dtype.c_name) is not None
        if name in self.arrays:
            return _WIDE.fullmatch(self.arrays[name].element) is not None
        declared = declaration_of(name, self.function.body.named_children[-1], self.function)
        kind = declared.child_by_field_name("type") if declared is not None else None
        return kind is not None and _WIDE.fullmatch(" ".join(text_of(kind).split())) is not None


def _declared_before_a_loop(body: "Node | None") -> tuple[list["Node"], "Node | None"]:
    """A body's declarations and the loop that is all that follows them; no loop where there is anything else."""
    if body is None or body.type == "for_statement":
        return [], body
    held = [one for one in body.named_children if one.type != "comment"]
    declared = held[:-1]
    if not held or held[-1].type != "for_statement" or any(one.type != "declaration" for one in declared):
        return [], None
    return declared, held[-1]


def _names(node: "Node") -> set[str]:
    return {text_of(one) for one in walk(node) if one.type == "identifier"}


def _names_of_head(node: "Node", body: "Node") -> set[str]:
    return {text_of(one) for one in walk(node) if one.type == "identifier" and one.end_byte <= body.start_byte}


def _is_inside(jump: "Node", statement: "Node") -> bool:
    """Whether a jump stays within the statement."""
    if jump.type in ("return_statement", "goto_statement"):
        return False
    at = jump.parent
    while at is not None and at != statement.parent:
        if at.type in (*LOOPS, "switch_statement"):
            return True
        at = at.parent
    return False
