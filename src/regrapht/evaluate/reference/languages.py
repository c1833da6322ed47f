"""References that are not compiled C++: Python functions, run in this process, and CUDA, run in the emulator. And the choice among all."""

import math
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

import numpy as np

from regrapht.emulate.emulator import BuildRefused, EmulatedProgram, Emulator
from regrapht.errors import InvalidTask
from regrapht.evaluate.inputs.drawing import Inputs, as_call, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array, numbers, storage_dtype, stored
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, ReferenceProgram, WideColumn, run_failed
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.sandbox.sandbox import Limits, Sandbox
from regrapht.sandbox.wire import Exchange

_WALL_S = 60.0


def open_reference(task: Task, sandbox: Sandbox, *, emulator: Emulator) -> ReferenceProgram:
    """The task's reference by the suffix of its file.

    Raises:
        InvalidTask: The suffix is of no language that can be a reference.
    """
    suffix = task.reference.source.suffix
    if suffix in (".cpp", ".cc", ".cxx", ".c", ".hpp", ".h"):
        return CompiledReference(task, sandbox)
    if suffix == ".py":
        return PythonReference(task)
    if suffix == ".cu":
        return CudaReference(task, emulator)
    raise InvalidTask(f"{task.reference.source.name}: a reference is a .cpp, .cc, .c, .cu or .py file")


def open_fast(task: Task, sandbox: Sandbox, *, emulator: Emulator) -> ReferenceProgram | None:
    """The task's quicker equivalent, ready to run; None where it names none."""
    if task.reference.fast is None:
        return None
    reference = replace(task.reference, source=task.reference.fast, fast=None)
    return open_reference(replace(task, reference=reference), sandbox, emulator=emulator)


class PythonReference:
    """`reference(**args) -> dict` in Python, the user's own trusted code, run in this process. Arrays come in their shapes."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @property
    def widens(self) -> bool:
        """True where outputs are floats: the same function is then called with wider arrays."""
        return all(isinstance(arg.dtype, ScalarType) for arg in self._task.parameters) and any(
            arg.dtype.is_float for arg in self._task.outputs
        )

    @property
    def fingerprint(self) -> str:
        """As `ReferenceProgram.fingerprint`; what it imports is not looked at, but for numpy."""
        return f"{self._task.reference.source.content_hash} numpy {np.__version__}"

    def check(self) -> None:
        """Load the file.

        Raises:
            InvalidTask: It raises, or defines no `reference`.
        """
        _ = self._function

    @cached_property
    def _function(self) -> Callable[..., object]:
        source = self._task.reference.source
        scope: dict[str, object] = {"__name__": "regrapht_reference"}
        try:
            exec(compile(source.text, source.name, "exec"), scope)
        except Exception as error:
            raise InvalidTask(f"{source.name} does not load: {type(error).__name__}: {error}") from error
        function = scope.get("reference")
        if not callable(function):
            raise InvalidTask(f"{source.name} defines no function reference(**args)")
        return function

    def expected(
        self, inputs: Sequence[Inputs], *, wall_s: float | None = None, magnitudes: bool = True
    ) -> list[Expected]:
        """As `ReferenceProgram.expected`; magnitudes are never known."""
        written = self._written(inputs, wall_s)
        if not self.widens:
            return [Expected(as_written=outputs, wide=None) for outputs in written]
        wide = self._wide(inputs, wall_s)
        return [Expected(as_written=a, wide=w) for a, w in zip(written, wide, strict=True)]

    def written(self, inputs: Sequence[Inputs]) -> list[dict[str, Array]]:
        """As `ReferenceProgram.written`."""
        return self._written(inputs, None)

    def wide(self, inputs: Sequence[Inputs]) -> list[Mapping[tuple[str, str], WideColumn]]:
        """As `ReferenceProgram.wide`."""
        return self._wide(inputs, None)

    def survivors(self, inputs: Sequence[Inputs]) -> list[bool]:
        """Which inputs the function takes without raising."""
        alive = []
        for one in inputs:
            try:
                self._call([one], wide=False, wall_s=None)
                alive.append(True)
            except ReferenceFailed:
                alive.append(False)
        return alive

    def defines(self, inputs: Inputs, *, wall_s: float) -> bool:
        """Always: what numpy does with any value is defined, and a function that raises is seen when it is asked."""
        return True

    def _written(self, inputs: Sequence[Inputs], wall_s: float | None) -> list[dict[str, Array]]:
        return [
            {arg.name: self._store(result[arg.name], arg) for arg in self._task.outputs}
            for result in self._call(inputs, wide=False, wall_s=wall_s)
        ]

    def _wide(self, inputs: Sequence[Inputs], wall_s: float | None) -> list[Mapping[tuple[str, str], WideColumn]]:
        return [
            {
                (arg.name, ""): WideColumn(
                    values=np.asarray(result[arg.name]).reshape(-1).astype(self._number(arg)), scale=None
                )
                for arg in self._task.outputs
                if arg.dtype.is_float
            }
            for result in self._call(inputs, wide=True, wall_s=wall_s)
        ]

    def _call(self, inputs: Sequence[Inputs], *, wide: bool, wall_s: float | None) -> list[Mapping[str, object]]:
        function = self._function
        results = []
        name = self._task.reference.source.name
        for index, one in enumerate(inputs):
            try:
                with _time_limit(wall_s or _WALL_S), np.errstate(all="ignore"):
                    result = function(**self._arguments(one, wide=wide))
            except Exception as error:
                raise ReferenceFailed(f"{name}: {type(error).__name__}: {error}", call=index) from error
            results.append(self._checked(result, one, index))
        return results

    def _arguments(self, inputs: Inputs, *, wide: bool) -> dict[str, object]:
        arguments: dict[str, object] = {}
        for arg in self._task.args:
            if arg.kind is not ArgKind.ARRAY:
                assert isinstance(arg.dtype, ScalarType)
                raw = np.frombuffer(inputs.values[arg.name], storage_dtype(arg.dtype))
                arguments[arg.name] = numbers(raw, arg.dtype)[0] if arg.dtype.is_float else int(raw[0])
            elif arg.is_input:
                array = inputs.arrays[arg.name].reshape(arg.dimensions(inputs.case.sizes))
                if isinstance(arg.dtype, ScalarType) and arg.dtype.is_float and (wide or arg.dtype.name == "bfloat16"):
                    array = numbers(array, arg.dtype)
                arguments[arg.name] = array.copy()
        return arguments

    def _checked(self, result: object, inputs: Inputs, index: int) -> Mapping[str, object]:
        name = self._task.reference.source.name
        if not isinstance(result, Mapping):
            raise ReferenceFailed(f"{name}: reference must return a dict of outputs", call=index)
        for arg in self._task.outputs:
            if arg.name not in result:
                raise ReferenceFailed(f"{name}: reference returns no {arg.name!r}", call=index)
            count = math.prod(arg.dimensions(inputs.case.sizes))
            if np.asarray(result[arg.name]).size != count:
                raise ReferenceFailed(f"{name}: {arg.name!r} needs {count} elements", call=index)
        return result

    def _store(self, value: object, arg: Arg) -> Array:
        array = np.asarray(value).reshape(-1)
        if isinstance(arg.dtype, ScalarType) and arg.dtype.is_float:
            return stored(array, arg.dtype)
        return array.astype(storage_dtype(arg.dtype))

    def _number(self, arg: Arg) -> type:
        return np.longdouble if arg.dtype.name == "float64" else np.float64


class CudaReference:
    """A user's plain CUDA as the definition of right, run in the emulator's plain build. It cannot be widened."""

    widens = False

    def __init__(self, task: Task, emulator: Emulator) -> None:
        self._task, self._emulator = task, emulator
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """As `ReferenceProgram.fingerprint`: of the source; pools of another version of regrapht, and so of its emulator, are not used."""
        return self._task.reference.source.content_hash

    def check(self) -> None:
        """Build it.

        Raises:
            InvalidTask: It does not build in the emulator; the message has the first error.
        """
        with self._lock:
            _ = self._program

    @cached_property
    def _program(self) -> EmulatedProgram:
        built = self._emulator.build(self._task.reference.source.text, self._task, checked=False)
        if isinstance(built, BuildRefused):
            raise InvalidTask(f"{self._task.reference.source.name} does not build: {built.message}")
        return built

    def expected(
        self, inputs: Sequence[Inputs], *, wall_s: float | None = None, magnitudes: bool = True
    ) -> list[Expected]:
        """As `ReferenceProgram.expected`, as written only."""
        return [Expected(as_written=outputs, wide=None) for outputs in self._outputs(inputs, wall_s or _WALL_S)]

    def written(self, inputs: Sequence[Inputs]) -> list[dict[str, Array]]:
        """As `ReferenceProgram.written`."""
        return self._outputs(inputs, _WALL_S)

    def wide(self, inputs: Sequence[Inputs]) -> list[Mapping[tuple[str, str], WideColumn]]:
        """Never asked for, as `widens` is False."""
        raise InvalidTask("a CUDA reference cannot be compiled in a wider float")

    def survivors(self, inputs: Sequence[Inputs]) -> list[bool]:
        """Which inputs it runs on to the end."""
        alive = []
        for one in inputs:
            try:
                self._outputs([one], _WALL_S)
                alive.append(True)
            except ReferenceFailed:
                alive.append(False)
        return alive

    def defines(self, inputs: Inputs, *, wall_s: float) -> bool:
        """Always, as far as the emulator tells: it runs to its end or fails when it is asked."""
        return True

    def _outputs(self, inputs: Sequence[Inputs], wall_s: float) -> list[dict[str, Array]]:
        self.check()
        calls = [as_call(self._task, one, return_inputs=False) for one in inputs]
        with Exchange(self._task.parameters, calls) as exchange:
            run = self._emulator.run(
                self._program,
                exchange,
                limits=Limits(wall_s=wall_s, memory_bytes=8 * 2**30),
                sizes=[one.case.sizes for one in inputs],
            )
            if not (run.completed.ok and exchange.completed):
                call = next((i for i in range(len(inputs)) if not exchange.output(i).done), len(inputs) - 1)
                raise run_failed(self._task, inputs, call, run.completed, wall_s)
            return [read_outputs(self._task, exchange, i, inputs_too=False) for i in range(len(inputs))]


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt Python code after `seconds`. Signals reach the main thread alone; on another one the code runs unlimited."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def expire(*_: object) -> None:
        raise TimeoutError(f"did not end within {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
