"""What is right: the reference, compiled once in each variant, run in the sandbox, its outputs read back as numbers.

Its code is the user's, not a model's; it still runs in the sandbox, because it may crash or never end. Either is the task's fault
(`InvalidTask`), never the candidate's.
"""

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from regrapht import settings
from regrapht.errors import InvalidTask
from regrapht.evaluate.build.compile import Built, build, cpu_harness
from regrapht.evaluate.inputs.drawing import Inputs, as_call, read_samples
from regrapht.evaluate.inputs.element_arrays import Array, chunks, column, fields_of, numbers
from regrapht.evaluate.inputs.init_kinds import CHUNK_ELEMENTS
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, WideColumn, run_failed
from regrapht.evaluate.reference.source import Variant, can_widen, layout, unit, wide_scalar
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, SourceFile, Task
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.sandbox.wire import CallInput, Exchange

_CALL_S = 6.0
"""Processor time of one call as written, where all calls together have `wall_s`. In full the largest shape is called ten times at least,
so that no reference that takes longer for it would come to its end within that."""

_MOST_MEMORY, _SCRATCH = 8 * 2**30, 4 * 2**30
"""Of a run, and of one of such calls, which has that beside its arrays."""


class CompiledReference:
    """The C or C++ reference of one task. Variants are compiled when first needed; safe to use from several threads."""

    def __init__(self, task: Task, sandbox: Sandbox, *, wall_s: float = 60.0) -> None:
        self._task, self._sandbox, self._wall_s = task, sandbox, wall_s
        self._objects: dict[tuple[Variant, str], Built] = {}
        self._lock = threading.Lock()

    @property
    def wide_variant(self) -> Variant | None:
        """The best variant that compiles: carrying magnitudes, else merely wide, else None."""
        return self._compiling(Variant.CARRIED, Variant.WIDE)

    def _compiling(self, *variants: Variant) -> Variant | None:
        """The first of `variants` that compiles."""
        if not can_widen(self._task):
            return None
        source = self._task.reference.source
        return next((v for v in variants if self._object(v, source).content is not None), None)

    @property
    def widens(self) -> bool:
        """Whether a wide variant compiles."""
        return self.wide_variant is not None

    @property
    def fingerprint(self) -> str:
        """As `ReferenceProgram.fingerprint`: a hash of the object as written, and of what its wide variant is compiled from."""
        source = self._task.reference.source
        parts: list[object] = [self._as_written_object(source).content]
        if can_widen(self._task):
            parts.append([unit(self._task, source, variant) for variant in (Variant.WIDE, Variant.CARRIED)])
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def check(self) -> None:
        """Compile as written.

        Raises:
            InvalidTask: It does not compile; the message has the compiler's first error.
        """
        self._as_written_object(self._task.reference.source)

    def expected(
        self, inputs: Sequence[Inputs], *, wall_s: float | None = None, magnitudes: bool = True
    ) -> list[Expected]:
        """The right outputs for each of `inputs`.

        Raises:
            InvalidTask: The reference does not compile.
            ReferenceFailed: It crashed or ran longer than `wall_s`, and at which call.
        """
        as_written = self.outputs(inputs, Variant.AS_WRITTEN, wall_s=wall_s)
        variant = self.wide_variant if magnitudes else self._compiling(Variant.WIDE)
        if variant is None:
            return [Expected(as_written=outputs, wide=None) for outputs in as_written]
        wide = self.outputs(inputs, variant, wall_s=wall_s)
        return [
            Expected(as_written=written, wide=self._columns(outputs), wide_exact=self._exact_columns(outputs))
            for written, outputs in zip(as_written, wide, strict=True)
        ]

    def wide(self, inputs: Sequence[Inputs]) -> list[Mapping[tuple[str, str], WideColumn]]:
        """The wide outputs alone. Only where `wide_variant` is not None."""
        variant = self.wide_variant
        assert variant is not None, "the caller has looked"
        return [self._columns(outputs) for outputs in self.outputs(inputs, variant)]

    def written(self, inputs: Sequence[Inputs]) -> list[dict[str, Array]]:
        """The outputs as written, alone."""
        return self.outputs(inputs, Variant.AS_WRITTEN)

    def outputs(
        self, inputs: Sequence[Inputs], variant: Variant, *, wall_s: float | None = None
    ) -> list[dict[str, Array]]:
        """Raw output arrays of one variant, in that variant's layout."""
        parameters, calls = self._marshal(inputs, variant)
        with Exchange(parameters, calls) as exchange:
            self._run(exchange, inputs, variant, wall_s=wall_s)
            return [
                {
                    arg.name: np.frombuffer(exchange.array(i, arg.name), layout(self._task, arg.dtype, variant))
                    for arg in self._task.outputs
                }
                for i in range(len(inputs))
            ]

    def survivors(self, inputs: Sequence[Inputs]) -> list[bool]:
        """Which inputs the reference takes without undefined behaviour, a crash or a limit, and so may be held against a candidate.

        Bounds are checked at both ends of every array, by pages that must not be touched.
        """
        alive = [True] * len(inputs)
        for side in ("right", "left"):
            start = 0
            while start < len(inputs):
                parameters, calls = self._marshal(inputs[start:], Variant.GUARDED)
                with Exchange(parameters, calls) as exchange:
                    try:
                        self._run(exchange, inputs[start:], Variant.GUARDED, side=side)
                        break
                    except ReferenceFailed as failed:
                        alive[start + failed.call] = False
                        start += failed.call + 1
        return alive

    def defines(self, inputs: Inputs, *, wall_s: float) -> bool:
        """Whether the reference takes `inputs` within `wall_s` without undefined behaviour, signed overflow included."""
        parameters, calls = self._marshal([inputs], Variant.STRICT)
        with Exchange(parameters, calls) as exchange:
            try:
                self._run(exchange, [inputs], Variant.STRICT, wall_s=wall_s)
            except ReferenceFailed:
                return False
            return True

    def sequential_times_us(
        self, inputs: Inputs, *, samples: int, wall_s: float, variant: Variant = Variant.FAST
    ) -> tuple[float, ...]:
        """Times of `samples` calls of the optimised reference on this CPU, in a process of its own."""
        call = replace(as_call(self._task, inputs, return_inputs=False), samples=samples)
        with Exchange(self._task.parameters, [call]) as exchange:
            self._run(exchange, [inputs], variant, wall_s=wall_s)
            return tuple(host for _, host in read_samples(exchange, 0))

    def _marshal(self, inputs: Sequence[Inputs], variant: Variant) -> tuple[list[Arg], list[CallInput]]:
        parameters = [self._wide_parameter(arg, variant) for arg in self._task.parameters]
        return parameters, [self._call(one, variant) for one in inputs]

    def _wide_parameter(self, arg: Arg, variant: Variant) -> Arg:
        if arg.kind is not ArgKind.ARRAY:
            return arg
        size = layout(self._task, arg.dtype, variant).itemsize
        # The wire needs sizes only; alignment 16 suits every layout that is a multiple of it.
        return replace(arg, dtype=ScalarType(name=f"{variant}", c_name="", size_bytes=size, kind="uint"))

    def _call(self, inputs: Inputs, variant: Variant) -> CallInput:
        call = as_call(self._task, inputs, return_inputs=False)
        if variant not in (Variant.WIDE, Variant.CARRIED):
            return call
        targets = {
            arg.name: layout(self._task, arg.dtype, variant)
            for arg in self._task.parameters
            if arg.kind is ArgKind.ARRAY
        }
        lengths = {
            arg.name: arg.element_count(inputs.case.sizes) * targets[arg.name].itemsize
            for arg in self._task.parameters
            if arg.kind is ArgKind.ARRAY
        }
        makers = {
            arg.name: partial(self._widened, inputs.arrays[arg.name], arg, targets[arg.name])
            for arg in self._task.inputs
        }
        return replace(call, arrays=_MadeWhenAsked(makers), array_bytes=lengths, poison=0xFF)

    def _widened(self, raw: Array, arg: Arg, target: np.dtype) -> Array:
        wide = np.zeros(raw.size, target)
        for member in fields_of(arg.dtype):
            place, narrow = column(wide, member), column(raw, member)
            for part in chunks(raw.size, CHUNK_ELEMENTS):
                values = numbers(narrow[part], member.scalar)
                if place.dtype.names:
                    place["value"][part], place["scale"][part] = values, np.abs(values)
                else:
                    place[part] = values
        return wide

    def _columns(self, outputs: Mapping[str, Array]) -> dict[tuple[str, str], WideColumn]:
        found = {}
        for arg in self._task.outputs:
            for member in fields_of(arg.dtype):
                if not member.scalar.is_float:
                    continue
                place = column(outputs[arg.name], member)
                carried = place.dtype.names is not None
                found[arg.name, member.name] = WideColumn(
                    values=(place["value"] if carried else place).astype(wide_scalar(self._task), copy=False),
                    scale=np.abs(place["scale"]) if carried else None,
                )
        return found

    def _exact_columns(self, outputs: Mapping[str, Array]) -> dict[tuple[str, str], Array]:
        return {
            (arg.name, member.name): column(outputs[arg.name], member)
            for arg in self._task.outputs
            for member in fields_of(arg.dtype)
            if not member.scalar.is_float
        }

    def _run(
        self,
        exchange: Exchange,
        inputs: Sequence[Inputs],
        variant: Variant,
        *,
        wall_s: float | None = None,
        side: str = "right",
    ) -> None:
        source = self._task.reference.source
        built = self._as_written_object(source) if variant is Variant.AS_WRITTEN else self._object(variant, source)
        if built.content is None:
            raise InvalidTask(f"{source.name} does not compile as {variant}: {built.first_error}")
        is_wide = variant in (Variant.WIDE, Variant.CARRIED)
        limits = Limits(
            wall_s=self._wall_s if wall_s is None else wall_s, memory_bytes=_MOST_MEMORY, output_bytes=2**16
        )
        call_s = None
        if wall_s is None and not is_wide:
            call_s, most = _CALL_S, min(_MOST_MEMORY, _SCRATCH + max(map(self._array_bytes, inputs)))
            limits = replace(limits, memory_bytes=most)
        completed = self._sandbox.run(
            Command(
                argv=("./harness", "./reference.so", side, *(() if call_s is None else (f"{1000 * call_s:.0f}",))),
                files={"harness": cpu_harness(self._sandbox), "reference.so": built.content},
                descriptors=exchange.descriptors,
            ),
            limits,
        )
        if completed.ok and exchange.completed:
            return
        call = next((i for i in range(len(inputs)) if not exchange.output(i).done), len(inputs) - 1)
        raise run_failed(self._task, inputs, call, completed, limits.wall_s, call_s=call_s, is_wide=is_wide)

    def _array_bytes(self, inputs: Inputs) -> int:
        arrays = [arg for arg in self._task.parameters if arg.kind is ArgKind.ARRAY]
        return sum(arg.element_count(inputs.case.sizes) * arg.dtype.size_bytes for arg in arrays)

    def _as_written_object(self, source: SourceFile) -> Built:
        built = self._object(Variant.AS_WRITTEN, source)
        if built.content is None:
            raise InvalidTask(f"{source.name} does not compile: {built.first_error}")
        return built

    def _object(self, variant: Variant, source: SourceFile) -> Built:
        key = (variant, source.content_hash)
        with self._lock:
            if key not in self._objects:
                self._objects[key] = _compile(self._task, source, variant, self._sandbox)
            return self._objects[key]


class _MadeWhenAsked(Mapping[str, memoryview]):
    """Arrays by name, each made when it is asked for and not kept: widened inputs are several times as large as the inputs themselves."""

    def __init__(self, makers: Mapping[str, Callable[[], Array]]) -> None:
        self._makers = makers

    def __getitem__(self, name: str) -> memoryview:
        return self._makers[name]().view(np.uint8).data

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def _compile(task: Task, source: SourceFile, variant: Variant, sandbox: Sandbox) -> Built:
    parts = unit(task, source, variant)
    language = ("-x", parts.compiler_language)
    reading = (settings.cxx(), *language, *parts.flags, parts.main)
    folders = tuple(Path(folder) for folder in task.reference.include)
    return build(
        sandbox,
        (*reading, "-o", "reference.so", "-lm"),
        parts.files,
        output="reference.so",
        read_only=folders,
        reading=reading,
    )
