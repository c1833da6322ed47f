"""Inputs of the transform engine as tasks, and a bench that runs candidates beside the reference.

An input's head says what a `task.toml` would: `// shape: ARRAY = EXTENT`, `// check: SIZE=1,...; ...`, `// init: ARRAY = ints(low, high)`,
`rising(low, high)` or `row_ptr`, `// require: CONDITION`, `// nondeterministic`, `// expect: cannot`. The entry is named as the file.
"""

import ctypes
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from regrapht import settings
from regrapht.emulate.emulator import BuildRefused, Emulator, Schedule
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.verdict import Severity
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import CallInput, Exchange
from regrapht.source.c_types import passed_type
from regrapht.transform.reader.function_reader import read_function

from .judging import Judging

INPUTS = Path(__file__).parent / "inputs"
BY_C_NAME = {**{scalar.c_name: scalar for scalar in SCALAR_TYPES.values()}, "bool": SCALAR_TYPES["uint8"]}
SCALAR = 1.25
CALLER = """
template <class T> struct argument { static T in(void* place) { return *(T*)place; } };
template <class T> struct argument<T*> { static T* in(void* place) { return (T*)place; } };
template <class R, TYPES> void forward_all(R (*function)(NAMES), void** places, void* result) {
    *(R*)result = function(PLACES);
}
template <TYPES> void forward_all(void (*function)(NAMES), void** places, void* result) { function(PLACES); }
extern "C" void call_reference(void** places, void* result) { forward_all(ENTRY, places, result); }
"""


def caller(entry: str, arguments: int) -> str:
    """C++ that calls the reference with what lies at some places, without a header: compiling those takes longer than all the rest."""
    names = [f"A{number}" for number in range(arguments)]
    words = {
        "ENTRY": entry,
        "TYPES": ", ".join(f"class {name}" for name in names),
        "NAMES": ", ".join(names),
        "PLACES": ", ".join(f"argument<{name}>::in(places[{number}])" for number, name in enumerate(names)),
    }
    return re.sub("|".join(words), lambda word: words[word[0]], CALLER)


def notes(text: str, word: str) -> list[str]:
    return [found.strip() for found in re.findall(rf"^//\s*{word}:\s*(.+)$", text, re.M)]


def task_of(text: str, entry: str, **changes: object) -> Task:
    """The task that an input's head describes."""
    function = read_function(text, entry)
    shapes = dict(re.split(r"\s*=\s*", note, maxsplit=1) for note in notes(text, "shape"))
    checks = [
        {name.strip(): int(value) for name, value in (pair.split("=") for pair in one.split(","))}
        for note in notes(text, "check")
        for one in note.split(";")
    ]
    args = []
    for p in function.parameters:
        struct = next((one for one in function.structs if one.name == p.type), None)
        if p.is_pointer:
            role = Role.IN if p.is_const else Role.INOUT
            shape = (Expression(shapes[p.written]),)
            scalars = tuple((path, BY_C_NAME[kind]) for path, kind in struct.numbers) if struct else ()
            dtype = StructType(c_name=p.type, fields=scalars) if struct else BY_C_NAME[p.type]
            init = {} if struct else {"init": Init(kind="normal")}
            args.append(Arg(name=p.written, kind=ArgKind.ARRAY, dtype=dtype, shape=shape, role=role, **init))
        elif p.written in checks[0]:
            args.append(Arg(name=p.written, kind=ArgKind.SIZE, dtype=BY_C_NAME[p.type]))
        else:
            args.append(Arg(name=p.written, kind=ArgKind.SCALAR, dtype=BY_C_NAME[p.type], value=SCALAR))
    deterministic = "// nondeterministic" not in text
    return Task(
        id=entry.replace("_", "-"),
        title=entry,
        description="",
        entry=entry,
        reference=Reference(source=SourceFile(name="reference.cpp", text=text)),
        args=tuple(args),
        check_sizes=tuple(checks),
        require=tuple(notes(text, "require")),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1"), deterministic=deterministic),
        work=Work(bytes=Expression("1")),
        returns=passed_type(function.returns) if function.returns else None,
        **changes,
    )


def dtype_of(arg: Arg) -> np.dtype:
    kind = {"float": "f", "int": "i", "uint": "u"}[arg.dtype.kind]
    return np.dtype(f"{kind}{arg.dtype.size_bytes}")


@dataclass
class Bench:
    """Runs references natively and candidates in the emulator, and compares."""

    emulator: Emulator
    folder: Path
    libraries: dict[str, ctypes.CDLL] = field(default_factory=dict)
    counter: int = 0

    def differences(self, task: Task, source: str) -> list[str]:
        """What is wrong with a candidate: compiler errors, findings of the emulator, values; empty when it is right."""
        program = self.emulator.build(source, task, checked=True)
        if isinstance(program, BuildRefused):
            return [f"does not build: {program}"]
        calls, expected = [], []
        for sizes in task.check_sizes:
            values, arrays = self.inputs(task, sizes)
            expected.append(self.reference(task, sizes, values, arrays))
            calls.append(
                CallInput(
                    values={name: value.tobytes() for name, value in values.items()},
                    arrays={name: array.tobytes() for name, array in arrays.items()},
                    array_bytes={a.name: a.size_bytes(sizes) for a in task.parameters if a.kind is ArgKind.ARRAY},
                    wanted=frozenset(a.name for a in task.outputs),
                )
            )
        found: list[str] = []
        for schedule in (Schedule.FORWARD, Schedule.REVERSE):
            found += self._one_schedule(task, program, calls, expected, schedule)
        return found

    def _one_schedule(self, task, program, calls, expected, schedule) -> list[str]:
        limits = Limits(wall_s=60)
        with Exchange(task.parameters, calls) as exchange:
            run = self.emulator.run(program, exchange, schedule=schedule, limits=limits, sizes=list(task.check_sizes))
            found = [f"{schedule}: {f.kind}: {f.message}" for f in run.findings if f.severity is Severity.ERROR]
            if run.unsupported or not exchange.completed:
                return [*found, f"{schedule}: did not complete: {run.unsupported or run.completed}"]
            for number, sizes in enumerate(task.check_sizes):
                for arg in task.outputs:
                    got = np.frombuffer(exchange.array(number, arg.name), dtype_of(arg))
                    wrong = mismatch(got, expected[number][arg.name])
                    found += [f"{schedule}: {sizes}: {arg.name}: {wrong}"] if wrong else []
        return found

    def inputs(self, task: Task, sizes: Mapping[str, int]) -> tuple[dict[str, np.generic], dict[str, np.ndarray]]:
        """Scalars and array contents, the same for the same task and sizes."""
        inits = dict(re.split(r"\s*=\s*", note, maxsplit=1) for note in notes(task.reference.source.text, "init"))
        values, arrays = {}, {}
        for arg in task.args:
            random = np.random.default_rng([len(task.entry), *arg.name.encode(), *sizes.values()])
            if arg.kind is not ArgKind.ARRAY:
                values[arg.name] = dtype_of(arg).type(sizes.get(arg.name, SCALAR))
                continue
            count, how = arg.element_count(sizes), inits.get(arg.name, "")
            bounds = re.fullmatch(r"(?:ints|rising)\((.*),(.*)\)", how)
            if how == "row_ptr":
                drawn = np.minimum(np.cumsum(random.integers(0, 5, count)), sizes["nnz"])
                drawn[0], drawn[-1] = 0, sizes["nnz"]
            elif bounds:
                low, high = (Expression(text.strip()).evaluate(sizes) for text in bounds.groups())
                drawn = random.integers(low, high, count)
                drawn = np.sort(drawn) if how.startswith("rising") else drawn
            elif arg.dtype.is_float:
                drawn = random.uniform(-1, 1, count)
            else:
                drawn = random.integers(0 if arg.dtype.kind == "uint" else -10, 11, count)
            arrays[arg.name] = np.ascontiguousarray(drawn, dtype_of(arg))
        return values, arrays

    def reference(self, task: Task, sizes, values, arrays) -> dict[str, np.ndarray]:
        """What the sequential function makes of the inputs."""
        library = self._library(task)
        copies = {name: np.concatenate([array, array[:1]]) for name, array in arrays.items()}
        result = np.zeros(1, dtype_of(task.parameters[-1])) if task.returns else np.zeros(1)
        scalars = {name: np.array([value]) for name, value in values.items()}
        places = (ctypes.c_void_p * len(task.args))()
        for number, arg in enumerate(task.args):
            places[number] = (copies if arg.kind is ArgKind.ARRAY else scalars)[arg.name].ctypes.data
        library.call_reference(places, ctypes.c_void_p(result.ctypes.data))
        found = {name: copy[: len(arrays[name])] for name, copy in copies.items()}
        return found | ({"result": result} if task.returns else {})

    def _library(self, task: Task) -> ctypes.CDLL:
        text = task.reference.source.text
        if text not in self.libraries:
            self.counter += 1
            source, target = (self.folder / f"reference_{self.counter}{end}" for end in (".cpp", ".so"))
            source.write_text(text + caller(task.entry, len(task.args)))
            command = [settings.cxx(), "-std=c++17", "-O1", "-w", "-shared", "-fPIC", str(source), "-o", str(target)]
            subprocess.run(command, check=True, capture_output=True, text=True)
            self.libraries[text] = ctypes.CDLL(str(target))
        return self.libraries[text]


def mismatch(got: np.ndarray, expected: np.ndarray) -> str:
    """The first element that differs by more than rounding; empty when there is none."""
    if not np.issubdtype(expected.dtype, np.floating):
        wrong = got != expected
    else:
        bar = 2e-4 if expected.dtype == np.float32 else 1e-9
        with np.errstate(invalid="ignore"):
            close = np.abs(got.astype("f8") - expected) <= bar * (1 + np.abs(expected.astype("f8")))
        wrong = ~(close | (np.isnan(got) & np.isnan(expected)) | (got == expected))
    if not wrong.any():
        return ""
    first = int(np.argmax(wrong))
    return f"{int(wrong.sum())} of {len(got)} wrong, first [{first}] = {got[first]}, expected {expected[first]}"


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    try:
        sandbox = choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    with tempfile.TemporaryDirectory(prefix="transform-") as folder:
        Path(folder).chmod(0o755)  # sandboxed programs may run as another user
        emulator = Emulator(sandbox)
        available, reason, _ = emulator.availability()
        if not available:
            pytest.skip(f"no emulator: {reason}")
        yield Bench(emulator, Path(folder))


@pytest.fixture(scope="session")
def judging(bench, tmp_path_factory) -> Judging:
    """Small functions before the judge."""
    return Judging(
        EmulatedEvaluator(choose_sandbox(), emulator=bench.emulator, secret=7), tmp_path_factory.mktemp("judging")
    )


@pytest.fixture(scope="session")
def make_task():
    """A task from the text of an input."""
    return task_of


@pytest.fixture(scope="session")
def read_input():
    """The task of one of the inputs, by its name."""
    return lambda name, **changes: task_of((INPUTS / f"{name}.cpp").read_text(), name, **changes)
