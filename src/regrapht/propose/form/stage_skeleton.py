"""The file for an entry of several nests of loops: one kernel a nest, each with its own hole, and the launches of all of them.

What the nests share stays on the device: the reference's arrays, and numbers that come of data. The host counts what sizes come to, repeats
the loops around nests, and changes pointers about.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from regrapht.propose.form.held import Held, held_in
from regrapht.propose.form.program import Program
from regrapht.propose.form.reference_arrays import arrays_of
from regrapht.propose.form.reference_locals import locals_of
from regrapht.propose.form.scopes import declaration_of
from regrapht.propose.form.scratch import Scratch, allocated, launches_of, operand
from regrapht.propose.form.scratch_arrays import with_all_arrays
from regrapht.propose.form.stages import NAMINGS, Repeat, Stage, Step, kernels_of, pure_values_of, stages_of
from regrapht.propose.form.thread_indices import Index, of_the_thread
from regrapht.records.task import ArgKind, Role, Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_BLOCKS = {1: (256,), 2: (32, 8), 3: (32, 4, 2)}
_LONGEST = 90
"""Characters of the reference's line by which a kernel is told."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of the file, and what a right body for it is."""

    name: str
    text: str
    turn: tuple[str, ...]
    """The reference's own lines for a thread, in the kernel's names."""
    added_to: frozenset[str] = frozenset()
    """What several of its threads add to."""


def kernels_of_stages(task: Task, hole: str) -> list[Kernel]:
    """The kernels of the file; none where the entry is not several nests."""
    return _File(task, hole).kernels


def stage_skeleton(task: Task, hole: str) -> str | None:
    """Kernels, each with a hole, and the entry that launches them, without what is above; None where the entry is not several nests."""
    file = _File(task, hole)
    return file.text if file.kernels else None


class _File:
    def __init__(self, task: Task, hole: str) -> None:
        self.task, self.hole = task, hole
        self.steps = stages_of(task)
        self.stages = list(kernels_of(self.steps))
        self.function = read_unit(task.reference.source.text).named(task.entry)[0] if self.steps else None

    @cached_property
    def held(self) -> dict[str, Held] | None:
        """What several stages use of what one declares; None where that cannot be held."""
        found: dict[str, Held] = {}
        for at, stage in enumerate(self.stages):
            for node in stage.nodes if not stage.loops else ():
                if node.type != "declaration":
                    continue
                made = held_in(node)
                names = {text_of(one) for one in walk(node) if one.type == "identifier"}
                others = [self._outside(other) for k, other in enumerate(self.stages) if k != at]
                own = {one.name for one in made} if made is not None else names
                if not any(own & used for used in others):
                    continue
                if made is None or any(one.name in found for one in made):
                    return None
                found |= {one.name: one for one in made}
        return found

    def _outside(self, stage: Stage) -> set[str]:
        """Names that a stage uses and does not declare."""
        return {
            text_of(one)
            for node in stage.nodes
            for one in walk(node)
            if one.type == "identifier" and not self._is_within(one, stage.nodes)
        }

    def _is_within(self, name: "Node", nodes: Sequence["Node"]) -> bool:
        declared = declaration_of(text_of(name), name, self.function) if self.function is not None else None
        return declared is not None and any(n.start_byte <= declared.start_byte < n.end_byte for n in nodes)

    @cached_property
    def kernels(self) -> list[Kernel]:
        if not self.steps or self.held is None:
            return []
        filled = [stage for stage in self.stages if any(line.strip() for line in self._turn(stage))]
        return [self._kernel(stage, f"{self.task.entry}_kernel{k + 1}") for k, stage in enumerate(filled)]

    def _turn(self, stage: Stage) -> list[str]:
        """The reference's lines of a stage, less what is held."""
        held = self.held or {}
        if stage.loops:
            return stage.turn
        lines = []
        for node in stage.nodes:
            names = [one for one in held_in(node) or () if one.name in held] if node.type == "declaration" else []
            lines += [one.assignment or "" for one in names] if names else [text_of(node)]
        return [line for line in lines if line]

    def _counters(self, stage: Stage) -> dict[str, str]:
        """Name -> type of the counters of the host's loops around a stage."""

        def around(steps: Sequence[Step]) -> dict[str, str] | None:
            for step in steps:
                if step is stage:
                    return {}
                if isinstance(step, Repeat) and (inner := around(step.steps)) is not None:
                    return {step.counter: step.type_text, **inner}
            return None

        return around(self.steps) or {}

    def _needs(self, stage: Stage) -> tuple[list[str], list[str], set[str]]:
        """Declarations of the entry's that a stage needs, in two lists for numbers and values; and all names."""
        offered: dict[str, tuple[str, frozenset[str]]] = dict(locals_of(self.task))
        values = {name: (one.text, one.needs) for name, one in pure_values_of(self.task).items() if name not in offered}
        used = self._outside(stage) | {word for loop in stage.loops for word in re.findall(r"[A-Za-z_]\w*", loop.bound)}
        used |= {text_of(one) for node in stage.between for one in walk(node) if one.type == "identifier"}
        waiting = list(used)
        while waiting:
            name = waiting.pop()
            for need in {**offered, **values}.get(name, ("", frozenset()))[1] - used:
                used.add(need)
                waiting.append(need)
        numbers = [text for name, (text, _) in offered.items() if name in used]
        others = [text for name, (text, _) in values.items() if name in used and not self._declares(stage, name)]
        return numbers, others, used

    def _namings(self, stage: Stage) -> list[str]:
        """The entry's namespaces, and its names for types as far as the stage has them."""
        body = self.function.body if self.function is not None else None
        words = {word for line in self._turn(stage) for word in re.findall(r"\w+", line)}
        found = [node for node in body.named_children if node.type in NAMINGS] if body is not None else []
        return [text_of(one) for one in found if one.type == "using_declaration" or words & _alias(one)]

    def _shadows(self, stage: Stage, name: str) -> bool:
        """Whether a name is another thing in a stage with threads."""
        return bool(stage.loops) and self._declares(stage, name)

    def _declares(self, stage: Stage, name: str) -> bool:
        """Whether a stage's own text declares a name, so that it needs no other declaration."""
        uses = [one for node in stage.nodes for one in walk(node) if one.type == "identifier" and text_of(one) == name]
        return bool(uses) and all(self._is_within(one, stage.nodes) for one in uses)

    def _kernel(self, stage: Stage, name: str) -> Kernel:
        numbers, values, used = self._needs(stage)
        named = used | {text_of(one) for node in stage.nodes for one in walk(node) if one.type == "identifier"}
        held = [one for one in (self.held or {}).values() if one.name in named and not self._shadows(stage, one.name)]
        indices = [Index(one.name, one.bound, one.first, one.step) for one in reversed(stage.loops)]
        lines, outside = of_the_thread(indices, used)
        body = [
            *(f"    {text}" for text in (*self._namings(stage), *numbers, *values)),
            *(f"    {one.line}" for one in held),
            *lines,
            *([f"    if ({' || '.join(outside)}) return;"] if outside else []),
            *(f"    {' '.join(text_of(node).split())}" for node in stage.between),
            f"    // {self._told(stage)}",
            *(f"    // Several threads add to `{one}`: with atomicAdd." for one in sorted(stage.added_to)),
            f"    {self.hole}",
        ]
        parameters = [
            *(self._parameter(arg.name) for arg in self.task.parameters if arg.name in used),
            *(f"{kind} {counter}" for counter, kind in self._counters(stage).items() if counter in used),
            *(f"{one.element}* {one.memory}" for one in held),
        ]
        text = "\n".join([f"__global__ void {name}({', '.join(parameters)}) {{", *body, "}"])
        arrays = {one for one in arrays_of(self.task) if one in used}
        text = with_all_arrays(text, self.task, before=self.hole, only=arrays)
        return Kernel(name, text, tuple(self._turn(stage)), stage.added_to)

    def _parameter(self, name: str) -> str:
        arg = next(one for one in self.task.parameters if one.name == name)
        if arg.kind is not ArgKind.ARRAY:
            return f"{arg.dtype.c_name} {name}"
        return f"{'const ' if arg.role is Role.IN else ''}{arg.dtype.c_name}* {name}"

    def _told(self, stage: Stage) -> str:
        """Which part of the reference a kernel is."""
        if stage.loops:
            heads = [_head(loop.node) for loop in stage.loops]
            return f"A turn of {' '.join(heads)}"
        first = next((line for line in self._turn(stage)), "").split("\n")[0].strip()
        return f"One thread, from {first}"[:_LONGEST]

    @property
    def text(self) -> str:
        kernels = self.kernels
        names = iter(kernels)
        named = {id(stage): next(names) for stage in self.stages if any(line.strip() for line in self._turn(stage))}
        launches = "".join(self._launched(self.steps, named, "    "))
        text = "\n\n".join(one.text for one in kernels)
        text = f"{text}\n\n{self.task.signature} {{\n{launches}}}\n"
        for one in (self.held or {}).values():
            text = self._with_memory(text, one)
        return text

    def _launched(self, steps: Sequence[Step], kernels: Mapping[int, Kernel], margin: str) -> Iterator[str]:
        for step in steps:
            if isinstance(step, Repeat):
                yield f"{margin}{step.head} {{\n"
                yield from self._launched(step.steps, kernels, margin + "    ")
                yield f"{margin}}}\n"
            elif isinstance(step, Stage):
                if id(step) in kernels:
                    yield from self._launch(step, kernels[id(step)], margin)
            else:
                yield f"{margin}std::swap({step.one}, {step.other});\n"

    def _launch(self, stage: Stage, kernel: Kernel, margin: str) -> Iterator[str]:
        (function,) = read_unit(kernel.text, cuda=True).functions
        handed = ", ".join(one.name for one in function.parameters)
        if not stage.loops:
            yield f"{margin}{kernel.name}<<<1, 1>>>({handed});\n"
            return
        counts = [Index(one.name, one.bound, one.first, one.step).count for one in reversed(stage.loops)]
        sizes = _BLOCKS[len(counts)]
        blocks = ", ".join(f"({operand(one)} + {size - 1}) / {size}" for one, size in zip(counts, sizes, strict=True))
        there = " && ".join(f"{operand(one)} > 0" for one in counts if not one.isdigit())
        threads = ", ".join(map(str, sizes))
        condition = f"if ({there}) " if there else ""
        yield f"{margin}{condition}{kernel.name}<<<dim3({blocks}), dim3({threads})>>>({handed});\n"

    def _with_memory(self, text: str, held: Held) -> str:
        program = Program(text, self.task)
        launches = [
            launch
            for kernel in program.kernels
            for launch in launches_of(kernel.name, program)
            if held.memory in map(text_of, launch.arguments)
        ]
        if not launches:
            return text
        launches.sort(key=lambda launch: launch.call.start_byte)
        scratch = Scratch(held.memory, held.element, held.count, held.fill)
        return program.edited(allocated(scratch, launches, program))


def _alias(node: "Node") -> set[str]:
    name = node.child_by_field_name("name")
    return {text_of(name)} if name is not None else set()


def _head(node: "Node") -> str:
    body = node.child_by_field_name("body")
    text = text_of(node).encode()[: body.start_byte - node.start_byte].decode() if body is not None else text_of(node)
    return " ".join(text.split())
