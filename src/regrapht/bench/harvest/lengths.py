"""Lengths of arrays by trial: a kernel runs under the emulator, and an access out of bounds says that its array was too short.

One array after another starts at the shortest length that its sizes allow, with room to spare for all others, and grows until nothing is
out of bounds at three rows of sizes. An array that no product of sizes is long enough for has no length that we could name.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.harvest.pointer_roles import array_uses
from regrapht.emulate.emulator import BuildRefused, EmulatedRun, Emulator
from regrapht.evaluate.inputs.drawing import Case, as_call, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.records.element import ScalarType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange
from regrapht.source.c_types import scalar_type
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import text_of, walk
from regrapht.tasks.defaults import default_bytes, default_compare, default_reduction_length, with_exact_integers

MAX_RUNS = 40
MAX_SIZES = 4
_VALUES = (17, 33, 9, 5), (23, 13, 31, 7), (61, 29, 11, 3)
"""Rows of sizes; no two products in a row are the same."""
_LIMITS = Limits(wall_s=20, memory_bytes=2 * 2**30)
_SEED = secret_from("lengths of arrays")
_PLACE = re.compile(
    r"(?P<write>read|write) of (?P<size>\d+) bytes .*at byte (?P<byte>\d+) of an allocation of (?P<bytes>\d+)"
)
_ROW_START = r"(?s)\b{name}\s*\[([^\]]+)\].{{0,200}}?\b{name}\s*\[\s*(?:\1\s*\+\s*1|1\s*\+\s*\1)\s*\]"
"""`ptr[i]` and, not far behind, `ptr[i + 1]`: where a row starts and ends."""
_ROOM = 64
"""Elements that an array has at least while another one's length is tried."""


def guessed_task(file: Path, entry: str) -> Task:
    """The task of a function whose lengths are not known yet: every array has the longest length to be tried.

    Raises:
        Dropped: `no_output`, `no_sizes`, `too_many_sizes`.
    """
    text = file.read_text(encoding="utf-8")
    unit = read_unit(text)
    function = next(one for one in unit.functions if one.name == entry)
    uses = array_uses(function, unit)
    sizes = _size_names(function)
    if not sizes:
        raise Dropped("no_sizes", "no whole number bounds a loop")
    if len(sizes) > MAX_SIZES:
        raise Dropped("too_many_sizes", f"{len(sizes)}; at most {MAX_SIZES} are tried")
    longest = _lengths(sizes)[-1]
    args = []
    for parameter in function.parameters:
        kind = scalar_type(parameter.type_text, aliases=unit.aliases)
        assert kind is not None, "the sequential version spells its types out"
        if parameter.pointer_depth:
            is_row_start = (
                not kind.is_float and re.search(_ROW_START.format(name=re.escape(parameter.name)), text) is not None
            )
            init = _init(kind, sizes[0], is_row_start=is_row_start)
            role = Role.INOUT if uses[parameter.name].written else Role.IN
            shape = (Expression(f"{sizes[0]} + 1" if is_row_start else longest),)
            args.append(Arg(name=parameter.name, kind=ArgKind.ARRAY, dtype=kind, shape=shape, role=role, init=init))
        elif parameter.name in sizes:
            args.append(Arg(name=parameter.name, kind=ArgKind.SIZE, dtype=kind))
        else:
            args.append(Arg(name=parameter.name, kind=ArgKind.SCALAR, dtype=kind, value=0.5 if kind.is_float else 1))
    if not any(arg.is_output for arg in args):
        raise Dropped("no_output", "the function writes to no array")
    compare = default_compare(args, returns_float=False)
    return Task(
        id=entry.lower(),
        title=entry,
        description="",
        entry=entry,
        reference=Reference(source=SourceFile(name=file.name, text=text)),
        args=with_exact_integers(args, compare),
        check_sizes=tuple(dict(zip(sizes, values, strict=False)) for values in _VALUES),
        tolerance=Tolerance(kind=compare, reduction_length=default_reduction_length(sizes)),
        work=Work(bytes=default_bytes(args)),
        folder=str(file.parent),
    )


def fit_lengths(task: Task, program: str, emulator: Emulator) -> Task:
    """The task with the shortest lengths under which its kernel stays inside every array.

    Raises:
        Dropped: `range_unknown`: no length will do; `not_emulated`: the emulator cannot run the kernel.
        EvaluatorUnavailable: The machine's fault.
    """
    built = emulator.build(program, task, checked=True)
    if isinstance(built, BuildRefused):
        raise Dropped("build_failed" if built.status is Status.BUILD_FAILED else "not_emulated", built.message)

    def run(tried: Task) -> EmulatedRun:
        calls = [
            as_call(tried, draw(tried, Case(sizes=sizes, family=Family.DECLARED), secret=_SEED, index=index))
            for index, sizes in enumerate(tried.check_sizes)
        ]
        with Exchange(tried.parameters, calls) as exchange:
            return emulator.run(built, exchange, limits=_LIMITS, sizes=tried.check_sizes)

    runs = 0
    lengths = _lengths(task.size_names)
    for name in [arg.name for arg in task.args if arg.kind is ArgKind.ARRAY and not _has_row_starts(arg)]:
        for length in lengths:
            tried = _with_length(task, name, length)
            runs += 1
            if runs > MAX_RUNS:
                raise Dropped("range_unknown", f"{MAX_RUNS} runs did not find the lengths of its arrays")
            if not _is_short(run(tried), tried, name):
                task = tried
                break
        else:
            raise Dropped("range_unknown", f"{name} is longer than every product of sizes")
    if beyond := [finding for finding in run(task).findings if finding.status is Status.OUT_OF_BOUNDS]:
        raise Dropped("range_unknown", beyond[0].message)
    return replace(task, work=Work(bytes=default_bytes(task.args)))


def _is_short(run: EmulatedRun, task: Task, name: str) -> bool:
    """Whether a run left the bounds of this array; leaving those of another one is not its length's fault, and no length mends it."""
    if run.unsupported is not None:
        raise Dropped("not_emulated", run.unsupported)
    if run.completed.stopped is not None:
        raise Dropped("too_slow", "the kernel does not end at sizes that small")
    arg = next(arg for arg in task.args if arg.name == name)
    own = {arg.size_bytes(sizes) for sizes in task.check_sizes}
    for finding in run.findings:
        if finding.status is Status.OUT_OF_BOUNDS:
            place = _PLACE.search(finding.message)
            if place is None or int(place["bytes"]) not in own:
                raise Dropped("range_unknown", finding.message)
            return True
    return False


def _has_row_starts(arg: Arg) -> bool:
    """Such an array is one longer than there are rows."""
    return arg.init is not None and arg.init.kind == "csr_row_ptr"


def _with_length(task: Task, name: str, length: str) -> Task:
    """One array at a length; the others keep theirs, told apart by it."""
    args = tuple(replace(arg, shape=(Expression(length),)) if arg.name == name else arg for arg in task.args)
    return replace(task, args=args)


def _lengths(sizes: Sequence[str]) -> list[str]:
    """Lengths to try, shortest first: 1, each size and one more, then products of two and of three."""
    row = dict(zip(sizes, _VALUES[0], strict=False))
    found = ["1"]
    for name in sizes:
        found += [name, f"{name} + 1", f"2 * {name}"]
    for count in (2, 3):
        found += [" * ".join(names) for names in itertools.combinations(sizes, count)]
    found.sort(key=lambda text: Expression(text).evaluate(row))
    return [*found, " * ".join([str(_ROOM), *sizes])]


def _size_names(function: FunctionDefinition) -> tuple[str, ...]:
    """Whole-number parameters in the conditions of loops, or multiplied in a subscript."""
    whole = {p.name for p in function.parameters if not p.pointer_depth and not _is_float(p.type_text)}
    used: set[str] = set()
    for node in walk(function.body):
        condition = node.child_by_field_name("condition") if node.type in ("for_statement", "while_statement") else None
        used |= (
            {text_of(part) for part in walk(condition) if part.type == "identifier"} if condition is not None else set()
        )
    return tuple(p.name for p in function.parameters if p.name in whole & used)


def _is_float(spelling: str) -> bool:
    kind = scalar_type(spelling)
    return kind is None or kind.is_float


def _init(kind: ScalarType, size: str, *, is_row_start: bool) -> Init | None:
    """Whole numbers index something as long as the first size, or say where rows start."""
    if kind.is_float:
        return None
    if is_row_start and kind.size_bytes >= 4:
        return Init(kind="csr_row_ptr", parameters={"nnz": Expression(f"2 * {size}")})
    return Init(kind="integers", parameters={"low": 0, "high": Expression(size)})
