"""Which families of whole numbers are tried at which shape, and the calls that differ from the one before in little."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from regrapht.evaluate.cases.bench_cases import REDRAWN
from regrapht.evaluate.cases.edge_cases import EDGE, beside_edge, edge_arrays
from regrapht.evaluate.cases.met_cases import MET, met, met_scalars
from regrapht.evaluate.cases.scalar_cases import SCALAR, scalar_changes, with_scalar
from regrapht.evaluate.cases.sizes import array_bytes
from regrapht.evaluate.cases.tie_cases import TIES, has_ties, on_edges
from regrapht.evaluate.inputs.drawing import POISONS, Case, Inputs, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.inputs.near_inputs import near, near_changes
from regrapht.evaluate.inputs.own_numbers import (
    ABOVE,
    BELOW,
    OWN_NUMBERS,
    beyond_own_numbers,
    with_own_numbers,
)
from regrapht.evaluate.inputs.whole_families import whole_families
from regrapht.evaluate.reference.expected import ReferenceFailed, ReferenceProgram
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Level

_SCREENED_WHOLE, _ELSEWHERE = 2, 1
_MOST_NEAR = 6
_ALTERNATIVES = 3
_EDGES, _MOST_EDGES = 2, 2
"""Edges of each of so many inputs at most."""
_MOST_SCALARS = 12
"""Calls with a scalar that is apart."""
_COMPARED = 32


def is_declared(case: Case) -> bool:
    """Whether a case is one of a check shape with the values that the task says, drawn for itself."""
    return case.family is Family.DECLARED and not case.hidden and not case.near


def whole_cases(task: Task, sizes: Sizes, *, largest: Sizes, level: Level, rng: random.Random) -> tuple[Family, ...]:
    """The families of whole numbers for one check shape."""
    families = whole_families(task, sizes)
    if level is Level.FULL and sizes == largest:
        return families
    count = _ELSEWHERE if level is Level.FULL else (_SCREENED_WHOLE if sizes == largest else 0)
    return tuple(rng.sample(families, min(count, len(families))))


def near_cases(task: Task, sizes: Sizes, *, level: Level, rng: random.Random) -> list[Case]:
    """Calls behind the declared one of `sizes`, each of which differs from the one before in one element; in full six of them."""
    changes = near_changes(task)
    chosen = rng.sample(changes, min(len(changes), _MOST_NEAR if level is Level.FULL else 1))
    if level is Level.FULL and chosen:  # a key that looks at every other element misses half of them
        chosen += rng.choices(chosen, k=_MOST_NEAR - len(chosen))
    return [Case(sizes=sizes, family=Family.DECLARED, near=change) for change in chosen]


def own_cases(sizes: Sizes, numbers: tuple[float, ...], *, level: Level) -> list[Case]:
    """A call behind those of `sizes` with numbers of the program's own among its inputs, in full two with all floats beyond them; none
    where it names none."""
    kinds = (OWN_NUMBERS, ABOVE, BELOW) if level is Level.FULL else (OWN_NUMBERS,)
    return [Case(sizes=sizes, family=Family.DECLARED, near=kind, numbers=numbers) for kind in kinds if numbers]


def with_followers(cases: Sequence[Case], places: Collection[int]) -> list[int]:
    """`places`, and those of the cases behind each that differ from it in little."""
    found: list[int] = []
    for place, case in enumerate(cases):
        if place in places or (case.near and found and found[-1] == place - 1):
            found.append(place)
    return found


def edge_cases(task: Task, sizes: Sizes) -> list[Case]:
    """Calls behind those of `sizes` beside edges between two answers, and on them, where an element is equal to a scalar or floats are
    ties; each becomes two, or one, or none where no edge is found. They are at the smallest check shape at which elements have others to be
    compared with."""
    arrays, scalars = edge_arrays(task)[:_MOST_EDGES], met_scalars(task)[:_MOST_EDGES]
    shapes = sorted(task.check_sizes, key=lambda one: array_bytes(task, one))
    filled = [one for one in shapes if all(arg.element_count(one) >= _COMPARED for arg in arrays or task.inputs)]
    if sizes != (filled[0] if filled else shapes[-1]):
        return []
    kinds = [*(EDGE + arg.name for arg in arrays for _ in range(_EDGES)), *(MET + arg.name for arg in scalars)]
    kinds += [TIES] if has_ties(task) else []
    kinds += scalar_changes(task, sizes)[:_MOST_SCALARS]
    return [Case(sizes=sizes, family=Family.DECLARED, near=kind) for kind in kinds]


def drawn_cases(
    task: Task, reference: ReferenceProgram, cases: Mapping[int, Case], *, secret: int, again: int = 0
) -> list[tuple[int, Inputs]]:
    """The inputs of every case with its place, which decides what is drawn. Those that differ from the case before in little are changed
    where that changes the outputs, as far as a few tries find such an element.

    Args:
        again: How many times these have been drawn before.
    """
    inputs: list[tuple[int, Inputs]] = []
    for place, case in cases.items():
        if not case.near:
            inputs.append((place, draw(task, case, secret=secret, index=place + REDRAWN * again)))
            continue
        rng = np.random.default_rng([secret & (2**64 - 1), secret >> 64, place, len(task.parameters)])
        base = replace(inputs[-1][1], case=case, poison=POISONS[place % len(POISONS)])
        if case.near.startswith(EDGE):
            inputs += [(place, side) for side in beside_edge(task, reference, base, rng)]
            continue
        if case.near.startswith(MET):
            inputs += [(place, one) for one in met(task, reference, base, rng)]
            continue
        if case.near.startswith(SCALAR):
            inputs.append((place, with_scalar(task, base, rng)))
            continue
        if case.near == TIES:
            inputs += [(place, one) for one in on_edges(task, base, rng)]
            continue
        if case.numbers:
            own = _with_numbers(task, base, rng)
            inputs += [(place, own)] if own is not None else []
            continue
        tried = [changed for _ in range(_ALTERNATIVES) if (changed := near(task, base, case.near, rng)) is not None]
        if tried:
            inputs.append((place, _telling(task, reference, base, tried)))
    return inputs


def _with_numbers(task: Task, base: Inputs, rng: np.random.Generator) -> Inputs | None:
    """`base` with numbers of the text, or with floats beyond them, as its case says."""
    kind, numbers = base.case.near, base.case.numbers
    if kind == OWN_NUMBERS:
        return with_own_numbers(task, base, numbers, rng)
    return beyond_own_numbers(task, base, numbers, rng, sign=1 if kind == ABOVE else -1)


def _telling(task: Task, reference: ReferenceProgram, base: Inputs, tried: Sequence[Inputs]) -> Inputs:
    """The first of `tried` for which the reference has other outputs than for `base`; the first of all where none has."""
    try:
        first, *others = reference.written([base, *tried])
    except ReferenceFailed:
        return tried[0]
    names = [arg.name for arg in task.outputs]
    for inputs, outputs in zip(tried, others, strict=True):
        if any(outputs[name].tobytes() != first[name].tobytes() for name in names):
            return inputs
    return tried[0]
