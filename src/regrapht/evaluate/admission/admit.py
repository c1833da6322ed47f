"""Whether a task may be judged on at all: examined once, before any verdict on it means something.

A task is admitted when its outputs hang on what is drawn and on each input, when nothing trivial passes for right, and when its reference
is deterministic, writes what it promises and runs clean under the compiler's sanitizers. Everything is compared as a candidate's outputs
are: an output that varies within its tolerance alone does not vary.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.admission.bench_shapes import examine_bench
from regrapht.evaluate.admission.branch_coverage import examine_branches
from regrapht.evaluate.admission.findings import Admission, Rule, TaskFinding, error, warning
from regrapht.evaluate.admission.reference_audit import audit_reference
from regrapht.evaluate.admission.trivial_outputs import A_COPY, ANOTHER_DRAW, Drawn, Outputs, repeated, trivial_outputs
from regrapht.evaluate.admission.unordered_sums import unordered_sums
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.sizes import array_bytes, is_constant
from regrapht.evaluate.compare.outputs import compare_case, defined
from regrapht.evaluate.inputs.drawing import POISONS, Case, Inputs, draw
from regrapht.evaluate.inputs.element_arrays import Array, column, fields_of, numbers
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.expected import ReferenceFailed, Trial
from regrapht.records.task import Arg, Role, Task
from regrapht.records.verdict import Level, Severity
from regrapht.sandbox.sandbox import Sandbox

LEFT_OUT = "the reference under sanitizers, and the bench shapes"
"""What a cheap examination never looks at."""
_OTHER_DRAWS, _DRAWS_IN_ALL = 3, 12
_QUICK_S = 2.0
"""For the reference at all check shapes, where an examination is to be cheap."""
_BATCH_S, _BATCH_BYTES = 15.0, 2**29
"""Of reference runs in one process: well under the limits of one run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Examined(Drawn):
    """One check shape, and what the reference says there when something is changed."""

    again: Outputs
    """The same inputs, another process."""
    repoisoned: Outputs
    """The same inputs, but outputs start with other bytes."""
    redrawn: dict[str, list[Outputs]]
    """Input or scalar -> outputs with it alone drawn anew; without those whose values came out the same."""


def admit(oracle: Oracle, *, sandbox: Sandbox | None = None) -> Admission:
    """Examine a task.

    With a `sandbox` everything is looked at: the reference runs under the compiler's sanitizers there, and at each bench shape where that
    is quick. Without one the examination is cheap: it looks at the outputs at the check shapes alone, which takes a few runs of a
    reference that the judge has compiled anyway, and not even at them where the reference is slow.

    Raises:
        InvalidTask: The reference does not build, or fails on the declared cases: there is nothing to examine.
        TaskError: An init makes no sense.
    """
    started, task = time.monotonic(), oracle.task
    oracle.prepare()
    findings: list[TaskFinding] = []
    unchecked: list[str] = []
    declared = [Case(sizes=sizes, family=Family.DECLARED) for sizes in task.check_sizes]
    findings += unordered_sums(task)
    if task.hidden_sizes and task.size_names and all(is_constant(task, name) for name in task.size_names):
        findings.append(
            warning(
                Rule.ONE_SHAPE,
                "every size is the same in every shape, so that a candidate may be right at this one alone: add rows to sizes.check with "
                "other values, or say hidden = false where no other makes sense",
            )
        )
    try:
        shapes = _examine_shapes(oracle, declared, patience_s=_QUICK_S if sandbox is None else None)
    except ReferenceFailed as failed:
        findings.append(error(Rule.REFERENCE_FAILS, f"{failed}: narrow the init of what it stumbles over, or mend it"))
        shapes = []
    if shapes is None:
        unchecked.append(f"the outputs: the reference takes over {_QUICK_S:g} s at the check shapes")
    elif shapes:
        findings += _examine_outputs(oracle, shapes)
    if sandbox is None:
        unchecked.append(LEFT_OUT)
    elif shapes:
        trials = [Trial(inputs=shape.inputs, expected=shape.expected) for shape in shapes]
        parts = (
            audit_reference(oracle, sandbox, trials),
            examine_branches(oracle, sandbox, trials),
            examine_bench(oracle),
        )
        for part in parts:
            findings += part.findings
            unchecked += part.unchecked
    return Admission(
        task_id=task.id,
        task_hash=task.content_hash,
        findings=tuple(sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)),
        unchecked=tuple(unchecked),
        seconds=time.monotonic() - started,
    )


def admit_task(task: Task, sandbox: Sandbox) -> Admission:
    """Examine a task in full, with an oracle of its own. Raises as `admit`."""
    return admit(Oracle.open(task, sandbox, emulator=Emulator(sandbox)), sandbox=sandbox)


@runtime_checkable
class HasOracle(Protocol):
    """An evaluator that shows what it judges a task on, so that an examination need not compile the reference again."""

    def oracle(self, task: Task) -> Oracle:
        """What `task` is judged on."""
        ...


def _examine_shapes(
    oracle: Oracle, cases: Sequence[Case], *, patience_s: float | None = None
) -> list[_Examined] | None:
    """Draw each case several times and run the reference on all of it; None where the first run of each takes over `patience_s`."""
    task, secret = oracle.task, oracle.secret("admission")
    count = 1 + max(_OTHER_DRAWS, -(-_DRAWS_IN_ALL // len(cases)))
    drawn = [
        [draw(task, case, secret=secret, index=count * i + j) for j in range(count)] for i, case in enumerate(cases)
    ]
    bases = [replace(draws[0], poison=POISONS[0]) for draws in drawn]
    variations = [_variations(task, base, draws[1:]) for base, draws in zip(bases, drawn, strict=True)]
    begun = time.monotonic()
    expected = oracle.reference.expected(bases)
    took_s = time.monotonic() - begun
    if patience_s is not None and took_s > patience_s:
        return None
    # A run as written takes less than one of these, which come in a wider float too.
    batch = max(1, int(_BATCH_S * len(cases) / took_s))
    changed = [inputs for one in variations for _, inputs in one]
    written = iter([outputs for some in _batches(task, changed, batch) for outputs in oracle.reference.written(some)])
    shapes = []
    for base, right, one in zip(bases, expected, variations, strict=True):
        outputs: dict[str, list[Outputs]] = {}
        for name, _ in one:
            outputs.setdefault(name, []).append(next(written))
        again, repoisoned, others = (outputs.pop(name) for name in (_AGAIN, _REPOISONED, _OTHERS))
        shapes.append(
            _Examined(
                inputs=base,
                expected=right,
                others=others,
                again=again[0],
                repoisoned=repoisoned[0],
                redrawn=outputs,
            )
        )
    return sorted(shapes, key=lambda shape: -sum(array.size for array in shape.expected.as_written.values()))


def _batches(task: Task, calls: Sequence[Inputs], most: int) -> Iterator[list[Inputs]]:
    """The calls in order, at most so many and so many bytes of arrays at a time."""
    batch: list[Inputs] = []
    size = 0
    for call in calls:
        needed = array_bytes(task, call.case.sizes)
        if batch and (len(batch) == most or size + needed > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(call)
        size += needed
    if batch:
        yield batch


_AGAIN, _REPOISONED, _OTHERS = "same inputs", "other poison", "other draws"  # no argument's name has a space


def _variations(task: Task, base: Inputs, others: Sequence[Inputs]) -> list[tuple[str, Inputs]]:
    """Named changes of one call's inputs: none, the poison, everything drawn, and each input by itself."""
    found = [(_AGAIN, base), (_REPOISONED, replace(base, poison=POISONS[1]))]
    found += [(_OTHERS, replace(other, poison=POISONS[0])) for other in others]
    for arg in _drawn_arguments(task):
        for other in others:
            changed = _with(base, arg, other)
            if changed is not None:
                found.append((arg.name, changed))
    return found


def _with(base: Inputs, arg: Arg, other: Inputs) -> Inputs | None:
    """`base` with one argument of another draw; None where both drew the same."""
    if arg.is_input:
        if base.arrays[arg.name].tobytes() == other.arrays[arg.name].tobytes():
            return None
        return replace(base, arrays={**base.arrays, arg.name: other.arrays[arg.name]})
    if base.values[arg.name] == other.values[arg.name]:
        return None
    return replace(base, values={**base.values, arg.name: other.values[arg.name]})


def _drawn_arguments(task: Task) -> list[Arg]:
    """Arrays that are read, and scalars that have no fixed value."""
    return [arg for arg in task.args if arg.is_input or arg.init is not None]


def _examine_outputs(oracle: Oracle, shapes: Sequence[_Examined]) -> Iterator[TaskFinding]:
    task = oracle.task
    yield from _steadiness(task, shapes)
    yield from _non_finite(task, shapes)
    drawn = {arg.name for arg in _drawn_arguments(task) if any(arg.name in shape.redrawn for shape in shapes)}
    if not drawn:
        yield error(
            Rule.NOTHING_DRAWN,
            "every draw gives the same inputs, so that a candidate may have learnt the answer by heart: give an input an init such as "
            "normal, uniform or integers, or draw a scalar with init in the place of its value",
        )
        return
    fixed = all(_passes_everywhere(oracle, shapes, arg, ANOTHER_DRAW) for arg in task.outputs)
    if fixed:
        yield error(
            Rule.FIXED_OUTPUT,
            f"whatever is drawn, {_names(task.outputs)} stays the same within the tolerance, so that a candidate that writes a constant "
            "passes: let the task return what the constant is made of, or narrow rtol and atol",
        )
        return
    yield from _trivial(oracle, shapes)
    yield from _dependence(oracle, shapes, drawn)
    yield from _axes(oracle, shapes)


def _steadiness(task: Task, shapes: Sequence[_Examined]) -> Iterator[TaskFinding]:
    """The same inputs give the same bytes, whatever outputs held before."""
    for shape in shapes:
        first, second = _defined(task, shape.expected.as_written), _defined(task, shape.again)
        name = next((name for name in first if first[name].tobytes() != second[name].tobytes()), None)
        if name is not None:
            yield error(
                Rule.NONDETERMINISTIC,
                f"two runs of the reference on the same inputs differ in {name}: seed its generator, set every variable, and do not read "
                "the clock",
            )
            return
    for arg in (arg for arg in task.outputs if arg.role is Role.OUT):
        before = [defined(arg, shape.expected.as_written) for shape in shapes]
        after = [shape.repoisoned[arg.name][: one.size] for shape, one in zip(shapes, before, strict=True)]
        holes = [_bytes(one) == POISONS[0] for one in before]
        holes = [hole & (_bytes(other) == POISONS[1]) for hole, other in zip(holes, after, strict=True)]
        whole = [hole.reshape(one.size, -1).all(axis=1) for hole, one in zip(holes, before, strict=True) if one.size]
        unwritten = sum(int(one.sum()) for one in whole)
        differs = sum(
            int((_bytes(one) != _bytes(other))[~hole].sum())
            for one, other, hole in zip(before, after, holes, strict=True)
        )
        if unwritten:
            yield error(
                Rule.UNWRITTEN_OUTPUT,
                f"the reference leaves {unwritten} of {sum(one.size for one in before)} elements of {arg.name} unwritten: write them, "
                'say role = "inout" when they are to keep their values, or name the defined part with valid_length',
            )
        elif differs:
            yield error(
                Rule.READS_OUTPUT,
                f'the result hangs on what {arg.name} held before the call: set it in the reference, or say role = "inout"',
            )


def _bytes(array: Array) -> Array:
    return np.ascontiguousarray(array).view(np.uint8)


def _defined(task: Task, outputs: Outputs) -> dict[str, Array]:
    """Outputs cut to what is defined of them."""
    return {arg.name: defined(arg, outputs) for arg in task.outputs}


def _non_finite(task: Task, shapes: Sequence[_Examined]) -> Iterator[TaskFinding]:
    for arg in task.outputs:
        for field in (field for field in fields_of(arg.dtype) if field.scalar.is_float):
            columns = [
                numbers(column(defined(arg, shape.expected.as_written), field), field.scalar) for shape in shapes
            ]
            bad, count = sum(int((~np.isfinite(c)).sum()) for c in columns), sum(c.size for c in columns)
            if bad:
                yield warning(
                    Rule.NOT_FINITE,
                    f"{bad} of {count} elements of {arg.name} are infinite or NaN for the declared values, and no number is compared "
                    "there: narrow the init of the inputs, or give them a domain",
                )


def _passes(oracle: Oracle, shape: Drawn, changed: Outputs) -> bool:
    """Whether the judge takes the right outputs with `changed` in the place of some of them."""
    got = {**shape.expected.as_written, **changed}
    tolerances = oracle.tolerances(shape.inputs.case.sizes)
    return compare_case(oracle.task, shape.inputs, shape.expected, got, tolerances=tolerances).status is None


def _passes_everywhere(oracle: Oracle, shapes: Sequence[Drawn], arg: Arg, name: str) -> bool:
    """Whether one trivial version of one output passes in every case that has any elements."""
    tried = [shape for shape in shapes if shape.expected.as_written[arg.name].size]
    for shape in tried:
        contents = dict(trivial_outputs(oracle.task, arg, shape)).get(name)
        if contents is None or not _passes(oracle, shape, {arg.name: contents}):
            return False
    return bool(tried)


def _trivial(oracle: Oracle, shapes: Sequence[_Examined]) -> Iterator[TaskFinding]:
    """An error where every output can be trivial at once; a warning for one alone, and where only the judge's own values refuse it."""
    task = oracle.task
    passing: dict[str, list[str]] = {}
    for arg in task.outputs:
        first = next((shape for shape in shapes if shape.expected.as_written[arg.name].size), shapes[0])
        names = [
            name
            for name, contents in trivial_outputs(task, arg, first)
            if not (task.copies and name.startswith(A_COPY)) and _passes(oracle, first, {arg.name: contents})
        ]
        passing[arg.name] = [name for name in names if _passes_everywhere(oracle, shapes, arg, name)]
    if not any(passing.values()):
        return
    more = _second_family(oracle)
    still = {
        arg.name: [way for way in passing[arg.name] if not more or _passes_everywhere(oracle, more, arg, way)]
        for arg in task.outputs
    }
    if all(passing.values()) and not all(still.values()):
        declared = ", ".join(f"{name} may be {ways[0]}" for name, ways in passing.items())
        yield warning(
            Rule.TRIVIAL_OUTPUT,
            f"with the declared values {declared}; values of the judge's own refuse that, but bench shapes never see those: declare values "
            "of both signs (init normal), or narrow rtol and atol",
        )
        return
    trivial = [f"{name} may be {ways[0]}" for name, ways in still.items() if ways]
    if all(still.values()):
        yield error(
            Rule.TRIVIAL_OUTPUT,
            f"a candidate that computes nothing passes: {', '.join(trivial)}. Narrow rtol and atol, draw values of both signs, or let the "
            "task return more",
        )
    elif trivial:
        yield warning(
            Rule.TRIVIAL_OUTPUT,
            f"one output is not really tested: {', '.join(trivial)}. Draw inputs for which it differs, or leave it out",
        )


def _second_family(oracle: Oracle) -> list[_Examined]:
    """The cases of a screening beyond the declared values; none where the reference cannot take other draws of them."""
    cases = [case for case in oracle.cases(Level.SCREEN) if case.family is not Family.DECLARED]
    try:
        return (_examine_shapes(oracle, cases) or []) if cases else []
    except ReferenceFailed:
        return []


def _dependence(oracle: Oracle, shapes: Sequence[_Examined], drawn: set[str]) -> Iterator[TaskFinding]:
    for arg in _drawn_arguments(oracle.task):
        if arg.name not in drawn:
            kind = arg.init.kind if arg.init is not None else "its default"
            yield warning(
                Rule.UNDRAWN_INPUT,
                f"{arg.name} is the same in every draw (init {kind}), so that a candidate may ignore it: draw it, or take it out of the "
                "signature",
            )
        elif all(_passes(oracle, shape, outputs) for shape in shapes for outputs in shape.redrawn.get(arg.name, ())):
            yield error(
                Rule.IGNORED_INPUT,
                f"{arg.name} can be drawn anew without any output leaving its tolerance, so that a candidate may ignore it: take it out of "
                "the signature, or draw the inputs so that it matters",
            )


def _axes(oracle: Oracle, shapes: Sequence[_Examined]) -> Iterator[TaskFinding]:
    for arg in oracle.task.outputs:
        if arg.valid_length is not None:
            continue
        for axis, expression in enumerate(arg.shape):
            tried = []
            for shape in shapes:
                dimensions = arg.dimensions(shape.inputs.case.sizes)
                if dimensions[axis] > 1 and 0 not in dimensions:
                    contents = repeated(arg, shape.expected.as_written[arg.name], axis, dimensions)
                    tried.append(_passes(oracle, shape, {arg.name: contents}))
            if tried and all(tried):
                yield warning(
                    Rule.CONSTANT_AXIS,
                    f"{arg.name} is the same all along its dimension {axis} ({expression.text}): return it once, or draw inputs for which "
                    "it differs",
                )


def _names(args: Sequence[Arg]) -> str:
    return " and ".join(arg.name for arg in args)
