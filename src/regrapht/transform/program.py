"""A task's function, analysed, with the decisions taken so far: what rules look at and change."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import prod
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.records.element import StructType
from regrapht.records.task import ArgKind, Task
from regrapht.transform.bit_updates import with_bit_updates
from regrapht.transform.codegen.program import element_counts
from regrapht.transform.distributed_loops import with_loops_distributed
from regrapht.transform.guarded_loops import Form, with_conditions_inside
from regrapht.transform.ir.scalar_types import FLOAT_BYTES, INTEGER_BYTES
from regrapht.transform.ir.scope import internal_name
from regrapht.transform.ir.statements import For, Function
from regrapht.transform.loops_apart import with_turns_apart
from regrapht.transform.nest import Kind, Nest, PlanItem, Planner
from regrapht.transform.normalise.data_dependent_exits import with_ways_out
from regrapht.transform.normalise.normal_form import normal_form
from regrapht.transform.perfect_nests import with_scalars_inside
from regrapht.transform.polyhedral.assumptions import as_isl, divisible
from regrapht.transform.polyhedral.loop_tree import Key, Loop, all_loops, loop_key
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.scratch import has_scratch, with_own_scratch
from regrapht.transform.reader.function_reader import read_function
from regrapht.transform.run_time_steps import with_run_time_steps
from regrapht.transform.schedule import Schedule
from regrapht.transform.thread_gains import has_more_threads
from regrapht.transform.upward import counted_upward
from regrapht.transform.versioning import Analyses, Guard, under_guard
from regrapht.transform.widened_loops import with_wide_bounds

NO_NEST = "the function has no loop whose iterations are known in advance: it runs in one thread"
"""Why no rule applies to a program without nests."""


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


def analyse(task: Task) -> Analysis:
    """Read and analyse the task's reference.

    Raises:
        CannotTransform: The engine cannot take the function; says the line, why, and what would help.
    """
    defines = {name: value or "1" for name, _, value in (text.partition("=") for text in task.reference.defines)}
    function = read_function(task.reference.source.text, task.entry, defines)
    _check_parameters(task, function)
    function = counted_upward(normal_form(_as_declared(task, function), _sizes(task)))

    def under(guard: Guard | None) -> Analysis:
        plain = analyse_function(task, function, guard=guard)
        forms = (
            *(_with_bit_updates, _with_run_time_steps, _with_ways_out, _with_own_scratch, _with_own_buffers),
            *(_with_conditions_inside, _with_wide_bounds, _with_perfect_nests, _with_distributed_loops),
        )
        return reduce(lambda analysis, form: form(analysis), forms, plain)

    def in_one_thread(plain: Analysis, loops: Sequence[Key]) -> Analysis:
        return analyse_function(task, plain.function, one_thread=loops)

    def polyhedral(plain: Analysis, guard: Guard) -> Scop:
        return _scop(task, plain.function, guard)

    return under_guard(Analyses(under, in_one_thread, polyhedral))


def _sizes(task: Task) -> list[str]:
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
    while serial and _scop(task, function, guard, serial).placed_by_values:
        again = _analysed(task, function, guard, one_thread, by_values=serial)
        gained = serial & {loop_key(nest.root) for nest in again.nests if nest.kind is not Kind.SERIAL}
        if gained == serial:
            return again
        serial = gained
    return plain


def _analysed(
    task: Task, function: Function, guard: Guard | None, one_thread: Sequence[Key], by_values: Collection[Key] = ()
) -> Analysis:
    scop = _scop(task, function, guard, by_values)
    if scop.buffers and not task.contract.may_allocate:
        buffer = next(iter(scop.buffers.values()))
        raise CannotTransform(
            f"the vector '{buffer.name}' needs memory, and the task allows none",
            line=buffer.line,
            remedy="pass it as a parameter",
        )
    varies, lengths = not task.tolerance.deterministic, fixed_lengths(task)
    counted = element_counts(task).keys() - scop.function.fields.keys() if task.contract.may_allocate else None
    planner = Planner(scop, atomics_vary=varies, one_thread=one_thread, lengths=lengths, counted=counted)
    return Analysis(task, function, scop, planner.plan, planner.nests, guard)


def fixed_lengths(task: Task) -> dict[str, int]:
    """Element counts of the arrays that are the same in every call."""
    shapes = {
        internal_name(arg.name): [one.text for one in arg.shape] for arg in task.args if arg.kind is ArgKind.ARRAY
    }
    return {name: prod(map(int, texts)) for name, texts in shapes.items() if all(text.isdigit() for text in texts)}


def _scop(task: Task, function: Function, guard: Guard | None, by_values: Collection[Key] = ()) -> Scop:
    sizes, products = _sizes(task), guard.products if guard is not None else {}
    given = [*as_isl(task.require, sizes), *(guard.texts if guard is not None else ())]
    rising = guard.rising if guard is not None else ()
    return Scop(
        *(function, sizes, given, _factors(task, function), products, rising, by_values), divisible(task.require, sizes)
    )


def _with_bit_updates(analysis: Analysis) -> Analysis:
    """The analysis with `x |= y` and its like as updates, where fewer loops run in one thread, or are the launcher's, by it."""
    function = with_bit_updates(analysis.function)
    if function is None:
        return analysis
    try:
        again = analyse_function(analysis.task, function, guard=analysis.guard)
    except CannotTransform:
        return analysis
    serial, launched = _without_threads(analysis)
    serial_after, launched_after = _without_threads(again)
    moved = launched_after <= launched | {variable for variable, _ in serial}
    gains = serial_after < serial or (serial_after == serial and launched_after < launched)
    return again if moved and gains else analysis


def _without_threads(analysis: Analysis) -> tuple[set[Key], set[str]]:
    """The outermost loops of nests that one thread runs, and the loops of the launcher."""
    serial = {loop_key(nest.root) for nest in analysis.nests if nest.kind is Kind.SERIAL}
    return serial, {variable for nest in analysis.nests for variable in nest.host_loops}


def _with_run_time_steps(analysis: Analysis) -> Analysis:
    """The analysis with loops of run-time steps in forms that it knows, where that gives threads to them or to what is inside."""
    before = {(nest.line, variable) for nest in analysis.nests for variable in nest.parallel}
    for function, variable in with_run_time_steps(analysis.function, _sizes(analysis.task)):
        try:
            again = analyse_function(analysis.task, function, guard=analysis.guard)
        except CannotTransform:
            continue
        after = {(nest.line, variable) for nest in again.nests for variable in nest.parallel}
        if before <= after and any(_has_threads_by(nest, variable) for nest in again.nests):
            return _with_run_time_steps(again)
    return analysis


def _has_threads_by(nest: Nest, variable: str) -> bool:
    """Whether a nest has threads for the turns of a loop, or in each turn of it."""
    return nest.is_worth_launching and variable in (*nest.host_loops, *nest.parallel, *nest.reduced)


def _with_ways_out(analysis: Analysis) -> Analysis:
    """The analysis with loops that data end as loops of the launcher, where that gives threads to what is inside."""
    launched = {variable for nest in analysis.nests for variable in nest.host_loops}
    for function, variable in with_ways_out(analysis.function, launched):
        try:
            again = analyse_function(analysis.task, function, guard=analysis.guard)
        except CannotTransform:
            continue
        if any(variable in nest.host_loops and nest.is_worth_launching for nest in again.nests):
            return _with_ways_out(again)
    return analysis


def _with_own_scratch(analysis: Analysis) -> Analysis:
    """The analysis with small arrays declared inside of the outermost loop that uses them, where that makes its turns independent."""
    if not has_scratch(analysis.function.body):
        return analysis
    for loop, body in with_own_scratch(_scop(analysis.task, analysis.function, analysis.guard)):
        try:
            again = analyse_function(analysis.task, replace(analysis.function, body=body), guard=analysis.guard)
        except CannotTransform:
            continue
        nests = [nest for nest in again.nests if loop_key(nest.root) == loop_key(loop)]
        if len(nests) == 1 and not nests[0].host_loops and loop.variable in nests[0].parallel:
            return _with_own_scratch(again)
    return analysis


def _with_own_buffers(analysis: Analysis) -> Analysis:
    """The analysis with a part of scratch buffers for each turn of loops around what one thread runs, where these then have threads."""
    if not analysis.scop.buffers:
        return analysis
    found = with_turns_apart(analysis, _reanalysed)
    return analysis if found is None else _with_own_buffers(found)


def _reanalysed(analysis: Analysis, function: Function) -> Analysis | None:
    try:
        return _with_perfect_nests(analyse_function(analysis.task, function, guard=analysis.guard))
    except CannotTransform:
        return None


def _with_conditions_inside(analysis: Analysis) -> Analysis:
    """The analysis with conditions inside of loops that they stand around, where that gives threads to these, and takes none away."""
    found = _in_better_form(analysis, with_conditions_inside(analysis.function), first=False)
    return analysis if found is None else _with_conditions_inside(found)


def _with_wide_bounds(analysis: Analysis) -> Analysis:
    """The analysis with loops over all that their bounds may span, where these otherwise run in one thread."""
    found = _in_better_form(analysis, with_wide_bounds(analysis.function), first=True)
    return analysis if found is None else _with_wide_bounds(found)


def _in_better_form(analysis: Analysis, forms: Iterable[Form], *, first: bool) -> Analysis | None:
    """The first form that gives threads to loops which are text so far; with `first`, only where nothing around them has any."""
    known = {loop_key(loop) for loop in all_loops(analysis.scop.tree)}
    for form in forms:
        if form.loops & known:  # they count already: what is around them is in their domains
            continue
        try:
            again = analyse_function(analysis.task, replace(analysis.function, body=form.body), guard=analysis.guard)
        except CannotTransform:
            continue
        if has_more_threads(analysis.nests, again.nests, again.scop.tree, form.loops, first=first):
            return again
    return None


def _with_perfect_nests(analysis: Analysis) -> Analysis:
    """The analysis with scalars set inside of an inner loop, where its turns then are independent ones of a nest, and no nest is lost."""
    for inner, body in with_scalars_inside(analysis.function.body):
        if not any(_stops_above(nest, inner) for nest in analysis.nests):
            continue
        try:
            again = analyse_function(analysis.task, replace(analysis.function, body=body), guard=analysis.guard)
        except CannotTransform:
            continue
        if len(again.nests) == len(analysis.nests) and any(_has_parallel(nest, inner) for nest in again.nests):
            return _with_perfect_nests(again)
    return analysis


def _stops_above(nest: Nest, inner: For) -> bool:
    """Whether the nest's loops that hold nothing but the next one end with the loop around `inner`."""
    children = [child for child in nest.chain[-1].children if isinstance(child, Loop)]
    return len(children) == 1 and (children[0].variable, children[0].line) == (inner.variable, inner.line)


def _has_parallel(nest: Nest, inner: For) -> bool:
    own = [loop for loop in nest.chain if loop_key(loop) == loop_key(inner)]
    return bool(own) and inner.variable in nest.parallel


def _with_distributed_loops(analysis: Analysis) -> Analysis:
    """The analysis with independent loops once for each part of their body, where the parts have many more threads."""

    def analysed(form: Analysis, function: Function) -> Analysis | None:
        again = _reanalysed(form, function)
        return None if again is None else _with_perfect_nests(_with_conditions_inside(again))

    found = with_loops_distributed(analysis, analysed)
    return analysis if found is None else _with_distributed_loops(found)


def _factors(task: Task, function: Function) -> dict[str, list[str]]:
    """The sizes of which an array's element count is a multiple: where it has any element, they are 1 or more."""
    found: dict[str, list[str]] = {}
    for arg in task.args:
        parts = [part.strip() for one in arg.shape for part in one.text.split("*")]
        if arg.kind is ArgKind.ARRAY and all(part.isidentifier() or part.isdigit() for part in parts):
            found[internal_name(arg.name)] = [internal_name(part) for part in parts if part.isidentifier()]
    return found | {name: found[one.parameter] for name, one in function.fields.items() if one.parameter in found}


def _as_declared(task: Task, function: Function) -> Function:
    """The function with arrays of the types that the task declares for a candidate: plain `char` is one of the two others."""
    types = {arg.name: arg.dtype.c_name for arg in task.args if arg.kind is ArgKind.ARRAY}
    parameters = tuple(replace(p, type=types.get(p.written, p.type)) for p in function.parameters)
    return replace(function, parameters=parameters)


def _check_parameters(task: Task, function: Function) -> None:
    """The task and the function must agree on names, kinds and widths of the parameters."""
    named, declared = [arg.name for arg in task.args], [parameter.written for parameter in function.parameters]
    if named != declared:
        raise CannotTransform(
            f"the task's arguments ({', '.join(named)}) are not the function's ({', '.join(declared)})",
            line=function.line,
        )
    widths = INTEGER_BYTES | FLOAT_BYTES
    for arg, parameter in zip(task.args, function.parameters, strict=True):
        if (arg.kind is ArgKind.ARRAY) != parameter.is_pointer:
            raise CannotTransform(f"'{arg.name}' is an array in only one of task and function", line=function.line)
        if isinstance(arg.dtype, StructType):
            _check_struct(arg.name, arg.dtype, parameter.type, function)
            continue
        is_float = parameter.type in FLOAT_BYTES
        same = arg.dtype.size_bytes == widths.get(parameter.type) and arg.dtype.is_float == is_float
        if parameter.is_pointer and not same:
            raise CannotTransform(
                f"'{arg.name}' is {arg.dtype.name} in the task, {parameter.type} in the function", line=function.line
            )


def _check_struct(name: str, declared: StructType, type_name: str, function: Function) -> None:
    """The task and the function must agree on a struct's fields, in order.

    Raises:
        CannotTransform: They do not.
    """
    struct = next((one for one in function.structs if one.name == type_name), None)
    own = [(f.name, INTEGER_BYTES.get(f.type) or FLOAT_BYTES[f.type]) for f in struct.fields] if struct else []
    if own != [(field, kind.size_bytes) for field, kind in declared.fields]:
        what = f"'{name}' is {declared.name} in the task, {type_name} in the function"
        raise CannotTransform(what, line=function.line, remedy="let both have the same fields in the same order")
