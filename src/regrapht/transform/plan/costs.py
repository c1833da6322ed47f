"""Which of two plans of a function takes less time at the sizes that its task is timed at, where they differ in who runs a loop.

A loop of the launcher starts kernels in each of its turns; a loop of a thread makes its turns one after the other. The unit is a turn of
one thread; a launch takes as long as one thread takes for so many. Memory is left out: these are no times, they tell hundreds of
thousands of launches from a few.
"""

from collections.abc import Mapping, Sequence
from math import ceil, inf, isinf, prod
from typing import Any

from regrapht.transform.ir.statements import For, While, every
from regrapht.transform.plan.analysis import Analysis, Program
from regrapht.transform.plan.nest import HostLoop, Kind, Nest, PlanItem
from regrapht.transform.plan.schedule import Layout
from regrapht.transform.plan.timed_values import bound_of, known_values, number_of
from regrapht.transform.polyhedral.loop_tree import Leaf, loop_key
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.turns import FEW, most_apart, most_turns

LAUNCH = FEW
"""Turns that one thread makes in the time of a launch."""
RESIDENT = 132 * 2048
"""Threads that a large device runs at once; more of them wait."""


def takes_less_time(plan: Analysis, other: Analysis) -> bool:
    """Whether a plan takes less time than another one of the same task at all sizes that this is timed at; False where that is unknown.

    A task that is not timed says nothing: at the small sizes of checks launches are all that there is.
    What one thread runs in the other plan counts as its launch: rules may find threads for it.
    """
    return _takes_less_time(plan, plan.plan, other, other.plan, shared=True)


def nests_take_less_time(nests: Sequence[Nest], plan: Analysis, others: Sequence[Nest], other: Analysis) -> bool:
    """Whether nests of a plan take less time than those of another plan that do the same, at all sizes that the task is timed at."""
    return _takes_less_time(plan, nests, other, others)


def _takes_less_time(
    plan: Analysis, items: Sequence[PlanItem], other: Analysis, others: Sequence[PlanItem], *, shared: bool = False
) -> bool:
    pairs = [
        (_cost(plan, items, values), _cost(other, others, before, shared=shared))
        for values, before in zip(known_values(plan.task, plan.scop), known_values(other.task, other.scop), strict=True)
    ]
    return bool(plan.task.bench_sizes) and all(
        own is not None and before is not None and own < before for own, before in pairs
    )


def parts_take_less_time(
    parts: Sequence[Nest], plan: Analysis, threads: Sequence[str], launched: Sequence[str], *, once: int
) -> bool:
    """Whether nests take less time than one kernel that makes all their turns, with threads for these loops alone.

    `launched` are loops of the launcher around the nests that the kernel would have inside. So it must be at all sizes that the task is
    timed at, and `once` times less at one of them; False where that is unknown.
    """
    pairs: list[tuple[int, int]] = []
    for known in known_values(plan.task, plan.scop) if plan.task.bench_sizes else ():
        bounds = [bound_of(loop_key(parts[0].loop(variable)), plan.function) for variable in launched]
        turns = [number_of(bound, known) for bound in bounds]
        apart, given = _cost(plan, parts, known), _given(plan.scop, known)
        if apart is None or None in turns:
            return False
        rounds = prod(max(one, 0) for one in turns if one is not None)
        leaves = [leaf for part in parts for leaf in part.group]
        work = rounds * sum(_turns(leaf, leaf.dims, given) for leaf in leaves)
        points = max(_turns(leaf, threads, given) for leaf in leaves)
        pairs.append((rounds * apart, LAUNCH + ceil(work / max(min(points, RESIDENT), 1))))
    return all(apart < whole for apart, whole in pairs) and any(apart * once <= whole for apart, whole in pairs)


def _cost(
    analysis: Analysis, items: Sequence[PlanItem], known: Mapping[str, int], *, shared: bool = False
) -> int | None:
    """The time of a part of the plan; None where a loop makes a number of turns that the sizes do not tell.

    With `shared`, nests that one thread runs are as if any number did.
    """
    costs: list[int | None] = []
    for item in items:
        if isinstance(item, HostLoop):
            turns = number_of(bound_of(loop_key(item.loop), analysis.function), known)
            inside = _cost(analysis, item.body, known, shared=shared)
            costs.append(None if turns is None or inside is None else max(turns, 0) * inside)
        elif isinstance(item, Nest):
            item.prepare(analysis.scop)
            costs.append(_cost_of_nest(item, analysis.scop, known, shared=shared))
        else:
            costs.append(LAUNCH)
    found = [cost for cost in costs if cost is not None]
    return sum(found) if len(found) == len(costs) else None


def _cost_of_nest(nest: Nest, scop: Scop, known: Mapping[str, int], *, shared: bool) -> int | None:
    if nest.kind is Kind.SERIAL and shared:
        return LAUNCH
    given = _given(scop, known)
    work = sum(_turns(leaf, leaf.dims, given) for leaf in nest.group)
    if isinf(work):
        return None
    points = max(_turns(leaf, nest.threaded, given) for leaf in nest.group)
    launches = 2 if nest.kind in (Kind.REDUCE, Kind.COPIES) else 1  # the second combines what the first leaves
    return launches * LAUNCH + ceil(work / max(min(points, RESIDENT), 1))


def _turns(leaf: Leaf, variables: Sequence[str], given: Any) -> float:
    """How many turns loops around a leaf make together, or more; infinite where the sizes do not tell."""
    if any(isinstance(statement, For | While) for statement in every(leaf.statements)):
        return inf
    return prod(most_turns(leaf, at, given) for at, variable in enumerate(leaf.dims) if variable in variables)


def serial_share(program: Program) -> float:
    """Of the accesses that the loops of a program's nests make at its largest timed size, the share that one thread makes.

    Loops whose turns the sizes do not tell count once.
    """
    analysis = program.analysis
    known = known_values(analysis.task, analysis.scop)[-1]
    given = _given(analysis.scop, known)
    alone = shared = 0.0

    def add(items: Sequence[PlanItem], times: int) -> None:
        nonlocal alone, shared
        for item in items:
            if isinstance(item, HostLoop):
                turns = number_of(bound_of(loop_key(item.loop), analysis.function), known)
                add(item.body, times * max(turns or 1, 1))
            elif isinstance(item, Nest):
                item.prepare(analysis.scop)
                work = times * sum(_known_turns(leaf, given) * len(leaf.accesses) for leaf in item.group)
                if is_alone(program, item):
                    alone += work
                else:
                    shared += work

    add(analysis.plan, 1)
    return alone / (alone + shared) if alone + shared else 0.0


def is_alone(program: Program, nest: Nest) -> bool:
    """Whether one thread runs a nest."""
    return nest.kind is Kind.SERIAL and program.schedules[nest.number].layout is Layout.SERIAL


def _known_turns(leaf: Leaf, given: Any) -> float:
    widths = (most_apart(leaf, at, given) + 1 for at in range(len(leaf.dims)))
    return prod(width for width in widths if not isinf(width))


def _given(scop: Scop, known: Mapping[str, int]) -> Any:
    """isl's set of the parameters that have these values."""
    symbols = scop.symbols
    values = {name: known[name] for name in symbols.parameters if name in known}
    for name, text in symbols.products.items():
        factors = [part.strip() for part in text.strip("()").split("*")]
        if all(factor in known for factor in factors):
            values[name] = prod(known[factor] for factor in factors)
    return scop.parameter_set(" and ".join(f"{name} = {value}" for name, value in sorted(values.items())) or "true")
