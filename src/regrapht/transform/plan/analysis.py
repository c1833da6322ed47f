"""A task's function, analysed: what rules look at, what they change, and how a function is analysed once it has been read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.records.task import ArgKind, Task
from regrapht.source.polynomial import words
from regrapht.transform.ir.names import internal_name
from regrapht.transform.ir.statements import Function
from regrapht.transform.plan.lengths import counted_arrays, fixed_lengths
from regrapht.transform.plan.nest import Kind, Nest, PlanItem, Planner
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.polyhedral.assumptions import as_isl, divisible
from regrapht.transform.polyhedral.loop_tree import Key, loop_key
from regrapht.transform.polyhedral.run_time_conditions import Condition
from regrapht.transform.polyhedral.scop import Scop


@dataclass(frozen=True, slots=True)
class Guard:
    """What a program tests before it starts the threads that an analysis found."""

    conditions: tuple[Condition, ...]
    products: dict[str, str] = field(default_factory=dict)
    """Products of parameters that the conditions name, with their C text."""
    loops: tuple[Key, ...] = ()
    """Outermost loops that one thread runs where the conditions do not hold. Others for which they are tested use atomics then."""
    otherwise: "Analysis | None" = field(default=None, repr=False)
    """The function without the conditions, these loops in one thread."""
    tested: tuple[str, ...] = ()
    """The conditions that the others do not imply, as isl's text."""
    rising: tuple[str, ...] = ()
    """Arrays of offsets that rise wherever the function has a segment between two of them."""

    @property
    def texts(self) -> list[str]:
        """The conditions, all of which must hold, as isl's text."""
        return [condition.text for condition in self.conditions]

    @property
    def because(self) -> str:
        """What the conditions are good for, as a clause for a reader."""
        found = []
        for one in self.conditions:
            if one.loops:
                word = "loop" if len(one.loops) == 1 else "loops"
                found.append(f"turns of the {word} over {_listed(one.loops)} do not meet in {_listed(one.arrays)}")
        shapes = [one for one in self.conditions if not one.loops]
        apart, shared = (
            sorted({array for one in shapes if one.read_only == read_only for array in one.arrays})
            for read_only in (False, True)
        )
        if apart:
            found.append(f"rows of {_listed(apart)} do not overlap")
        if shared:
            found.append(f"rows of {_listed(shared)}, which threads share, do not overlap")
        if self.rising:
            found.append(f"offsets in {_listed(self.rising)} rise")
        return ", and ".join(found)

    @property
    def lines(self) -> tuple[int, ...]:
        """Where the loops that one thread may run stand in the reference."""
        return tuple(line for _, line in self.loops)

    @property
    def is_empty(self) -> bool:
        return not self.conditions and not self.rising

    def also(self, conditions: Sequence[Condition], products: dict[str, str]) -> "Guard":
        """The guard with more conditions."""
        used = {word for condition in conditions for word in words(condition.text)}
        named = {name: text for name, text in products.items() if name in used}
        return replace(self, conditions=(*self.conditions, *conditions), products=self.products | named)


def _listed(names: Sequence[str]) -> str:
    """'a', 'b' and 'c'"""
    quoted = [f"'{name}'" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def loops_at(lines: Sequence[int]) -> str:
    """'the loop at line 3', 'the loops at lines 3 and 7'"""
    if len(lines) == 1:
        return f"the loop at line {lines[0]}"
    return f"the loops at lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"


@dataclass(frozen=True, slots=True)
class Analysis:
    """What does not change with decisions: the polyhedral form and the plan of nests."""

    task: Task
    function: Function
    scop: Scop
    plan: list[PlanItem]
    nests: list[Nest]
    guard: Guard | None = None
    """What must hold for all of it; tested when the program runs."""
    regrouped: "dict[tuple[Any, ...], Analysis | None]" = field(default_factory=dict, compare=False)
    """What rules that join or cut nests made of it, kept because it takes an analysis to find out."""


@dataclass(frozen=True, slots=True)
class Program:
    """An analysed function with one schedule a nest. Immutable: rules give changed copies."""

    analysis: Analysis
    schedules: Mapping[int, Schedule] = field(default_factory=dict)

    @property
    def nests(self) -> list[Nest]:
        return self.analysis.nests

    @property
    def scop(self) -> Scop:
        return self.analysis.scop

    @property
    def task(self) -> Task:
        return self.analysis.task

    def with_schedule(self, nest: Nest, schedule: Schedule) -> "Program":
        return Program(self.analysis, {**self.schedules, nest.number: schedule})


# ---- analysing a function


def sizes_of(task: Task) -> list[str]:
    """The parameters that are sizes, and so never negative."""
    return [internal_name(arg.name) for arg in task.args if arg.kind is ArgKind.SIZE]


def analyse_function(
    task: Task, function: Function, *, guard: Guard | None = None, one_thread: Sequence[Key] = ()
) -> Analysis:
    """Analyse a function that computes what the task's reference does, where `guard` holds; loops in `one_thread` get no more than that.

    Where loops run in one thread otherwise, what is known of values may tell their turns apart.

    Raises:
        CannotTransform: The engine cannot take it.
    """
    plain = _analysed(task, function, guard, one_thread)
    serial = {loop_key(nest.root) for nest in plain.nests if nest.kind is Kind.SERIAL} - set(one_thread)
    while serial and scop_of(task, function, guard, serial).placed_by_values:
        again = _analysed(task, function, guard, one_thread, by_values=serial)
        gained = serial & {loop_key(nest.root) for nest in again.nests if nest.kind is not Kind.SERIAL}
        if gained == serial:
            return again
        serial = gained
    return plain


def _analysed(
    task: Task, function: Function, guard: Guard | None, one_thread: Sequence[Key], by_values: Collection[Key] = ()
) -> Analysis:
    scop = scop_of(task, function, guard, by_values)
    if scop.buffers and not task.contract.may_allocate:
        buffer = next(iter(scop.buffers.values()))
        raise CannotTransform(
            f"the vector '{buffer.name}' needs memory, and the task allows none",
            line=buffer.line,
            remedy="pass it as a parameter",
        )
    varies, lengths = not task.tolerance.deterministic, fixed_lengths(task)
    counted = counted_arrays(task) - scop.function.fields.keys() if task.contract.may_allocate else None
    planner = Planner(scop, atomics_vary=varies, one_thread=one_thread, lengths=lengths, counted=counted)
    return Analysis(task, function, scop, planner.plan, planner.nests, guard)


def reanalysed(analysis: Analysis, function: Function) -> Analysis | None:
    """The same analysis of the function in another form; None where that cannot be analysed."""
    try:
        return analyse_function(analysis.task, function, guard=analysis.guard)
    except CannotTransform:
        return None


def scop_of(task: Task, function: Function, guard: Guard | None, by_values: Collection[Key] = ()) -> Scop:
    """The polyhedral form of a function where `guard` holds; what is known of values is used for loops in `by_values`."""
    sizes, products = sizes_of(task), guard.products if guard is not None else {}
    given = [*as_isl(task.require, sizes), *(guard.texts if guard is not None else ())]
    rising = guard.rising if guard is not None else ()
    return Scop(
        *(function, sizes, given, _factors(task, function), products, rising, by_values), divisible(task.require, sizes)
    )


def _factors(task: Task, function: Function) -> dict[str, list[str]]:
    """The sizes of which an array's element count is a multiple: where it has any element, they are 1 or more."""
    found: dict[str, list[str]] = {}
    for arg in task.args:
        parts = [part.strip() for one in arg.shape for part in one.text.split("*")]
        if arg.kind is ArgKind.ARRAY and all(part.isidentifier() or part.isdigit() for part in parts):
            found[internal_name(arg.name)] = [internal_name(part) for part in parts if part.isidentifier()]
    return found | {name: found[one.parameter] for name, one in function.fields.items() if one.parameter in found}
