"""Whether raw outputs are right. All of it happens here, in the parent, on bytes copied out of the child's reach.

Exact columns are compared bitwise. Float columns have two bars, both of which must hold:

    norm      ||y - r|| <= max(T ||r||, 4 ||w - r||)
    element   |y_i - r_i| <= 8 sqrt(K) u S_i + 2 u_out |r_i| + 4 |w_i - r_i|

with r the wide reference, w the reference as written (whose own error a candidate may always have; where rounding grows, as in an
iteration, the largest of those on inputs whose last bits are others, too), and S_i the magnitudes behind
element i. The element bar applies where S is known; an element that is w_i but for its last rounding meets it however far r_i is, as where
something overflows on the way. Where w_i itself is a hundredth of r_i and more away, as where rounding decides a branch, such an element
is left out of the norms. NaN and infinity are right only where the reference has the same.

In the norm bar ||r|| is at least ||S|| / sqrt(K), the size of a sum whose terms have random signs. Values that are made to cancel
leave partial sums as large as S itself, and honest rounding with them: for that family it is ||S||. Sums of equal values round one way
for as long as an exponent lasts: for that family either bar is at least K u, up to a hundredth.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from regrapht.evaluate.compare.column import (
    CHUNK_ELEMENTS,
    ColumnTolerance,
    ComparedColumn,
    Key,
    Pair,
    classes_of,
    compare_exact,
    compare_float,
    compare_unordered,
    differing_output,
    is_exact,
    untouched,
)
from regrapht.evaluate.compare.error_pattern import first_of, magnitude, pattern, place
from regrapht.evaluate.compare.tolerances import magnitudes_hold, uncalibrated
from regrapht.evaluate.inputs.drawing import Case, Inputs
from regrapht.evaluate.inputs.element_arrays import (
    Array,
    Field,
    column,
    fields_of,
    numbers,
    same_elements,
    stored,
)
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.feedback import scrub, shape_text
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.reference.expected import Expected, Trial, WideColumn
from regrapht.records.task import Arg, Compare, Role, Task
from regrapht.records.verdict import CaseResult, Status

MOST_LOST = 1e-2
_UNDECIDED_SHARE = 1e-3
_NEAR = 100
"""Whole numbers that are off by less are told by how much, as where a count starts wrong; more would tell the right one."""
_MEANING = {
    Status.WRONG_VALUE: "The output is wrong.",
    Status.NON_FINITE: "The output has NaN or infinity where it must not, or lacks one that it must have.",
    Status.UNWRITTEN: "Some output elements were never written.",
    Status.INPUT_MODIFIED: "A read-only input was modified.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One case compared: the record for the verdict, and what a person or a model may be told."""

    result: CaseResult
    status: Status | None
    """None when it is right."""
    what: str = ""
    """The wrong output, where, and how; no expected value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """One column of one output with what the comparison found."""

    arg: Arg
    field_name: str
    column: ComparedColumn


def compare_case(
    task: Task,
    inputs: Inputs,
    expected: Expected,
    got: Mapping[str, Array],
    *,
    tolerances: Mapping[Key, ColumnTolerance],
    chunk: int = CHUNK_ELEMENTS,
) -> Compared:
    """Compare every output of one call, and see that no read-only input changed.

    `got` holds flat arrays in storage type: all outputs, and the read-only inputs that were asked back. At most `chunk` elements are
    widened at a time; the outcome does not depend on it.
    """
    judged: list[_Judged] = []
    for arg in task.outputs:
        valid = _valid_count(arg, expected.as_written)
        if arg.compare is Compare.UNORDERED:
            arrays = got[arg.name][:valid], expected.as_written[arg.name][:valid]
            found = compare_unordered(arg.dtype, *arrays, chunk=chunk)
            judged.append(_Judged(arg=arg, field_name="", column=found))
            continue
        for field in fields_of(arg.dtype):
            pair = _pair(arg, field, inputs, expected, got, valid)
            if is_exact(task, arg, field.scalar):
                found = compare_exact(pair, chunk=chunk, rounded=arg.compare is Compare.ROUNDED)
            else:
                found = compare_float(pair, tolerances[arg.name, field.name], family=inputs.case.family, chunk=chunk)
            judged.append(_Judged(arg=arg, field_name=field.name, column=found))
    return _summary(inputs, judged, _modified_input(task, inputs, got, chunk=chunk))


def undecided_share(task: Task, expected: Expected) -> float:
    """The largest share of the defined part of an exact output on which the reference as written and in a wider float disagree, beyond two
    elements."""
    worst = 0.0
    for arg in task.outputs:
        valid = _valid_count(arg, expected.as_written)
        for field in fields_of(arg.dtype):
            other = expected.wide_exact.get((arg.name, field.name))
            if other is not None and other[:valid].size:
                differing = int((column(expected.as_written[arg.name][:valid], field) != other[:valid]).sum())
                worst = max(worst, differing / other[:valid].size if differing > 2 else 0.0)
    return worst


def is_decided(task: Task, expected: Expected) -> bool:
    """Whether rounding inside the reference leaves the exact outputs (nearly) decided."""
    return undecided_share(task, expected) <= _UNDECIDED_SHARE


def is_well_posed(task: Task, inputs: Inputs, expected: Expected) -> bool:
    """Whether the reference itself keeps two digits here: otherwise nothing can be held against a candidate."""
    return not without_digits(task, inputs, expected)


def without_digits(
    task: Task, inputs: Inputs, expected: Expected, *, beside_magnitudes: bool = False, most: float = MOST_LOST
) -> set[Key]:
    """The float columns of which the reference is off by more than the share `most`, or has NaN or infinity in other places; where its
    rounding grows, on inputs whose last bits are others too: by chance alone it may be near.

    Args:
        beside_magnitudes: Whether that is a share of what the norm bar is relative to, which knows how large the terms were of what cancels
            to nearly nothing; else of the values.
    """
    if expected.wide is None:
        return set()
    lost, tolerances = set(), uncalibrated(task, inputs.case.sizes) if beside_magnitudes else {}
    for (name, field_name), wide in expected.wide.items():
        arg = _output(task, name)
        valid = _valid_count(arg, expected.as_written)
        field = next(f for f in fields_of(arg.dtype) if f.name == field_name)
        runs = [column(run[name][:valid], field) for run in (expected.as_written, *expected.moved)]
        raw, values = runs[0], wide.values[:valid]
        left = untouched(raw, values, inputs.poison)
        right = numbers(stored(values, field.scalar), field.scalar)
        known = tolerances.get((name, field_name))
        for run in runs:
            written = numbers(run, field.scalar)
            usable = np.isfinite(written) & np.isfinite(right) & ~left
            classes = int((classes_of(written) != classes_of(right))[~left].sum())
            told = right[usable]
            error, size = float(np.linalg.norm(written[usable] - told)), float(np.linalg.norm(told))
            if known is not None and wide.scale is not None:
                behind = replace(wide, values=told, scale=wide.scale[:valid][usable])
                size = max(size, _size_behind(behind, written[usable], known))
            if error > most * size + 1e-30 or classes > _UNDECIDED_SHARE * usable.size:
                lost.add((name, field_name))
    return lost


def _size_behind(wide: WideColumn, written: Array, tolerance: ColumnTolerance) -> float:
    """How large what cancelled could have been, 0 where the magnitudes do not say."""
    assert wide.scale is not None
    with np.errstate(over="ignore"):
        behind = float(np.linalg.norm(wide.scale.astype(np.float64)))
    holds = magnitudes_hold([written], [wide], length=tolerance.length, unit=tolerance.unit)
    return behind / math.sqrt(tolerance.length) if holds and math.isfinite(behind) else 0.0


def same_bytes(first: Mapping[str, Array], second: Mapping[str, Array], task: Task) -> str | None:
    """The first output that differs between two runs on the same inputs, or None. Orders that are free and what is not defined do not
    count."""
    for arg in task.outputs:
        a, b = (defined(arg, run) for run in (first, second))
        if differing_output(arg.dtype, a, b, free_order=arg.compare is Compare.UNORDERED):
            return arg.name
    return None


def _output(task: Task, name: str) -> Arg:
    return next(arg for arg in task.outputs if arg.name == name)


def defined(arg: Arg, outputs: Mapping[str, Array]) -> Array:
    """The elements of one output that mean anything: all, or as many as another output says."""
    return outputs[arg.name][: _valid_count(arg, outputs)]


def _valid_count(arg: Arg, outputs: Mapping[str, Array]) -> int | None:
    """How many leading elements are defined; None for all."""
    return None if arg.valid_length is None else max(0, int(outputs[arg.valid_length][0]))


def _pair(
    arg: Arg, field: Field, inputs: Inputs, expected: Expected, got: Mapping[str, Array], valid: int | None
) -> Pair:
    key = (arg.name, field.name)
    raw = column(got[arg.name][:valid], field)
    wide = expected.wide.get(key) if expected.wide is not None else None
    if wide is not None:
        wide = WideColumn(values=wide.values[:valid], scale=None if wide.scale is None else wide.scale[:valid])
    exact = expected.wide_exact.get(key)
    return Pair(
        scalar=field.scalar,
        got=raw,
        written=column(expected.as_written[arg.name][:valid], field),
        wide=wide,
        wide_exact=None if exact is None else exact[:valid],
        moved=tuple(column(run[arg.name][:valid], field) for run in expected.moved),
        poison=inputs.poison if arg.role is Role.OUT else None,
    )


def _modified_input(task: Task, inputs: Inputs, got: Mapping[str, Array], *, chunk: int) -> str | None:
    for arg in task.inputs:
        if arg.role is Role.IN and arg.name in got:
            same = same_elements(arg.dtype, got[arg.name], inputs.arrays[arg.name], chunk=chunk)
            if not same:
                return arg.name
    return None


_GRAVITY = {Status.UNWRITTEN: 3, Status.NON_FINITE: 2, Status.WRONG_VALUE: 1, None: 0}


def _summary(inputs: Inputs, judged: list[_Judged], modified: str | None) -> Compared:
    def weight(one: _Judged) -> tuple[int, float]:
        found = one.column
        ratio = (found.norm_error or 0) / found.norm_bar if found.norm_bar else 0.0
        return _GRAVITY[found.status], max(ratio, found.element_error or 0.0)

    worst = max(judged, key=weight)
    status = Status.INPUT_MODIFIED if modified is not None else worst.column.status
    case = inputs.case
    result = CaseResult(
        sizes=dict(case.sizes),
        family=case.family.value,
        hidden=case.hidden,
        output=worst.arg.name,
        norm_error=worst.column.norm_error,
        norm_bar=worst.column.norm_bar,
        element_error=worst.column.element_error,
        mismatches=sum(int(one.column.wrong.sum()) for one in judged),
        passed=status is None,
    )
    what = ""
    if modified is not None:
        what = f"the read-only input {modified} was changed"
    elif status is not None:
        what = _describe(worst, inputs)
    return Compared(result=result, status=status, what=what)


def _describe(one: _Judged, inputs: Inputs) -> str:
    compared, dimensions = one.column, one.arg.dimensions(inputs.case.sizes)
    name = f"{one.arg.name}.{one.field_name}" if one.field_name else one.arg.name
    if not compared.ordered:
        return f"{name}: its elements, in whatever order, are not the right ones"
    first = first_of(compared.wrong)
    if first is None:
        return f"{name} is wrong"
    text = f"{name}: wrong in {pattern(compared.wrong, dimensions)}; first at {name}{place(first, dimensions)}"
    if compared.status is Status.UNWRITTEN:
        return f"{text}; elements are left that were never written"
    if compared.off_by_one:
        return f'{text}; each is off by one: where {name} is rounded from floats, compare = "rounded" in task.toml allows a few such'
    got, right = magnitude(compared.got), magnitude(compared.right)
    decided = _deciding_bar(compared)
    if got != right:
        return f"{text}: got {got}, expected {right}" + (f"; {decided}" if decided else "")
    near = compared.exact_integers and abs(compared.got - compared.right) < _NEAR
    if near and not inputs.case.hidden:
        return f"{text}: {_difference(compared.got - compared.right)} there, and right in magnitude ({got})"
    lost = compared.norm_error is not None and compared.norm_error < 0.01
    return f"{text}: {'precision is lost' if lost else f'right in magnitude ({got}) but not close enough'}" + (
        f"; {decided}" if decided else ""
    )


def _deciding_bar(compared: ComparedColumn) -> str:
    """The bar that was not met, with what is allowed; both where neither was, nothing where no bar was asked (exact values, NaN)."""
    said = []
    off, allowed, element = compared.norm_error, compared.norm_bar, compared.element_error
    if off is not None and allowed is not None and off > allowed:
        said.append(f"the output as a whole is off by {off:.2g} of its norm, {allowed:.2g} is allowed")
    if element is not None and element > 1:
        said.append(f"the worst element is off by {element:.3g} times what is allowed for one")
    return ", and ".join(said)


def _difference(off: float) -> str:
    """`3 too large`: how far one whole number is off at a listed shape, where it is near. Neither it nor the right one is told."""
    return f"{abs(off):.0f} too {'large' if off > 0 else 'small'}"


def compare_all(
    draft: Draft,
    trials: Sequence[Trial],
    outputs: Sequence[Mapping[str, Array]],
    tolerances: Sequence[Mapping[Key, ColumnTolerance]],
) -> None:
    """Compare every case, keep the results on the draft, and raise `Rejected` for the most telling failure.

    That is one at a listed shape before a hidden one, and one with the declared values before harder ones, on which a wrong formula may
    look like lost digits; of these the first in which some elements are right (their pattern says what is wrong), else the first at all.
    """
    failures: list[tuple[Compared, Inputs]] = []
    for trial, got, tolerance in zip(trials, outputs, tolerances, strict=True):
        compared = compare_case(draft.task, trial.inputs, trial.expected, got, tolerances=tolerance)
        draft.cases.append(compared.result)
        if compared.status is not None:
            failures.append((compared, trial.inputs))
    if not failures:
        return
    failures = [(_by_values(draft, compared, inputs), inputs) for compared, inputs in failures]
    compared, inputs = min(failures, key=lambda failure: _telling(draft.task, *failure))
    assert compared.status is not None
    case = inputs.case
    if case.hidden:  # its pattern would tell the size
        what = f"{compared.result.output} is wrong at a hidden shape ({compared.status})"
    else:
        what = f"{compared.what}, at {shape_text(case.sizes)} ({case.family.value} values{_since(case)})"
    raise Rejected(compared.status, what, feedback=wrong_output(draft.task, compared, inputs))


def _by_values(draft: Draft, compared: Compared, inputs: Inputs) -> Compared:
    """Elements that stay unwritten for some values, while the same shape is right with the declared ones, are no gap in what threads cover:
    the program loses them, which is a wrong answer."""
    case = inputs.case
    if compared.status is not Status.UNWRITTEN or case.family is Family.DECLARED:
        return compared
    declared = (each for each in draft.cases if each.passed and each.family == Family.DECLARED.value)
    if all(dict(each.sizes) != dict(case.sizes) for each in declared):
        return compared
    return replace(compared, status=Status.WRONG_VALUE, what=f"{compared.what}, which all are with the declared values")


def _since(case: Case) -> str:
    """What a case has changed since the one before, where that is little: who is wrong there alone keeps results from call to call."""
    return f", of which {case.near} alone changed since the call before" if case.near else ""


def _telling(task: Task, compared: Compared, inputs: Inputs) -> tuple[bool, bool, bool]:
    case, elements = inputs.case, sum(arg.element_count(inputs.case.sizes) for arg in task.outputs)
    return case.hidden, case.family is not Family.DECLARED, compared.result.mismatches >= elements


def wrong_output(task: Task, compared: Compared, inputs: Inputs) -> str:
    """On a wrong output: what is wrong, where, in which pattern; at a hidden shape only that there is one."""
    meaning = _MEANING.get(compared.status or Status.WRONG_VALUE, "The output is wrong.")
    case = inputs.case
    if case.hidden:
        return (
            f"{meaning} It happens at sizes that are not listed: 1, primes, or just beside a multiple of a block or of a vector's width. "
            f"Check every index against its bound. Required: {task.signature}"
        )
    values = _FAMILIES.get(case.family.value, "the declared values")
    text = f"{meaning} At {shape_text(case.sizes)} with {values}{_since(case)}: {compared.what}."
    return scrub(text)


_FAMILIES = {
    "declared": "the declared values",
    "signed": "signed normal values",
    "wide": "values of very different magnitude",
    "zeros": "zeros",
    "denormals": "subnormal values",
    "equal": "all values equal",
    "sorted": "sorted values",
    "outlier": "one very large value among ordinary ones",
    "negative": "negative values alone",
    "integers": "small whole numbers",
    "cancelling": "a few huge values of both signs among ordinary ones",
    "levels": "a few different values alone, so that many are equal",
    "close": "groups of doubles that are equal as floats",
    "one_value": "whole numbers that are all the same",
    "two_values": "whole numbers of two values alone",
    "eight_values": "whole numbers of eight values alone",
    "mostly_one": "whole numbers of which nine in ten are the same",
    "ends": "whole numbers from both ends of their range alone",
    "ascending": "whole numbers in ascending order",
    "descending": "whole numbers in descending order",
    "clustered": "whole numbers from a few narrow parts of their range",
    "runs": "long runs of the same whole number",
}
