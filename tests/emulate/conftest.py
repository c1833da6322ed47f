"""Candidate-style programs as tasks: each file of `valid/` and `planted/` says in its head which arrays its `run` takes."""

import re
from dataclasses import dataclass

import numpy as np
import pytest

from regrapht.emulate.emulator import BuildRefused, EmulatedProgram, EmulatedRun, Emulator, Schedule
from regrapht.errors import EvaluatorUnavailable
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import (
    Arg,
    ArgKind,
    Compare,
    Contract,
    Reference,
    Residency,
    Role,
    SourceFile,
    Task,
    Tolerance,
    Work,
)
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import CallInput, CallOutput, Exchange

NUMPY = {name: f"{scalar.kind[0]}{scalar.size_bytes}" for name, scalar in SCALAR_TYPES.items()} | {"bfloat16": "u2"}


@dataclass(frozen=True)
class Outcome:
    """One program, built and run."""

    program: EmulatedProgram
    run: EmulatedRun
    inputs: dict[str, np.ndarray]
    outputs: list[dict[str, np.ndarray]]
    calls: list[CallOutput]
    completed: bool


@dataclass(frozen=True)
class Bench:
    """Builds programs and runs them on inputs drawn from a seed."""

    emulator: Emulator

    def task(self, source: str, residency: Residency = Residency.DEVICE) -> Task:
        arrays = re.search(r"// arrays: (.*)", source).group(1)
        sizes = {"N": int(re.search(r"// N: (\d+)", source).group(1))}
        args = [Arg(name="N", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"])]
        for each in arrays.split(";"):
            name, role, dtype, shape = each.split(maxsplit=3)
            args.append(
                Arg(
                    name=name,
                    kind=ArgKind.ARRAY,
                    dtype=SCALAR_TYPES[dtype],
                    shape=(Expression(shape.strip()),),
                    role=Role(role),
                )
            )
        return Task(
            id="test",
            title="",
            description="",
            entry="run",
            reference=Reference(source=SourceFile(name="reference.cpp", text="")),
            args=tuple(args),
            check_sizes=(sizes,),
            tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
            work=Work(bytes=Expression("N")),
            contract=Contract(residency=residency),
        )

    def build(
        self, source: str, *, checked: bool, residency: Residency = Residency.DEVICE
    ) -> EmulatedProgram | BuildRefused:
        return self.emulator.build(source, self.task(source, residency), checked=checked)

    def run(
        self,
        source: str,
        program: EmulatedProgram,
        *,
        schedule: Schedule = Schedule.FORWARD,
        seed: int = 0,
        calls: int = 1,
        limits: Limits | None = None,
    ) -> Outcome:
        task = self.task(source)
        sizes = task.check_sizes[0]
        inputs = {arg.name: values(arg, sizes, seed=7) for arg in task.inputs}
        call = CallInput(
            values={"N": np.int32(sizes["N"]).tobytes()},
            arrays={name: array.tobytes() for name, array in inputs.items()},
            array_bytes={arg.name: arg.size_bytes(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY},
            wanted=frozenset(arg.name for arg in task.outputs),
        )
        with Exchange(task.parameters, [call] * calls) as exchange:
            run = self.emulator.run(
                program,
                exchange,
                schedule=schedule,
                seed=seed,
                limits=limits or Limits(wall_s=20),
                sizes=[sizes] * calls,
            )
            outputs = [
                {arg.name: np.frombuffer(exchange.array(i, arg.name), NUMPY[arg.dtype.name]) for arg in task.outputs}
                for i in range(calls)
            ]
            reports = [exchange.output(i) for i in range(calls)]
            return Outcome(program, run, inputs, outputs, reports, exchange.completed)


def values(arg: Arg, sizes: dict[str, int], *, seed: int) -> np.ndarray:
    generator = np.random.default_rng([seed, *arg.name.encode()])
    count, kind = arg.element_count(sizes), arg.dtype.name
    if kind == "bfloat16":
        return (generator.standard_normal(count).astype("f4").view("u4") >> 16).astype("u2")
    if arg.dtype.is_float:
        return generator.uniform(-0.5, 0.5, count).astype(NUMPY[kind])
    return generator.integers(0, 100, count).astype(NUMPY[kind])


@pytest.fixture(scope="session")
def emulator() -> Emulator:
    try:
        sandbox = choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    emulator = Emulator(sandbox)
    available, reason, _ = emulator.availability()
    if not available:
        pytest.skip(f"no emulator: {reason}")
    return emulator


@pytest.fixture(scope="session")
def bench(emulator: Emulator) -> Bench:
    return Bench(emulator)
