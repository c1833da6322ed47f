"""Calls with scalars that programs treat apart: which numbers those are, and what else changes."""

from dataclasses import replace

import numpy as np
import pytest

from regrapht.evaluate.cases.scalar_cases import SCALAR, scalar_changes, with_scalar
from regrapht.evaluate.inputs.drawing import Case, draw, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init

SIZES = {"n": 200}


def task_of(build, dtype, init):
    arrays = {"kind": "integers", "parameters": {"low": -1000, "high": 1000}}
    args = (
        build.size("n"),
        Arg(name="s", kind=ArgKind.SCALAR, dtype=SCALAR_TYPES[dtype], init=init),
        replace(build.array("x", "n", "in"), dtype=SCALAR_TYPES["int32"], init=Init(**arrays)),
        replace(build.array("y", "n", "out"), dtype=SCALAR_TYPES["int32"]),
    )
    return build.task("f", "void f(int n, float s, const int* x, int* y) {}", args, (SIZES,))


RANGES = {
    "floats of both signs": ("float32", "uniform", {"low": -2.0, "high": 2.0}, ["0.0", "1.0", "-1.0"]),
    "floats above nought": ("float32", "uniform", {"low": 0.5, "high": 2.0}, ["1.0"]),
    "floats beyond one": ("float64", "uniform", {"low": 3.0, "high": 4.0}, []),
    "normal floats": ("float32", "normal", {"mean": 0.0, "std": 0.25}, ["0.0"]),
    "whole numbers": ("int32", "integers", {"low": 1, "high": 1000}, ["1", "999", "49", "41", "32"]),
    "whole numbers of both signs": ("int64", "integers", {"low": -5, "high": 6}, ["-5", "5", "0", "1", "-1", "4"]),
    "as long as the array": (
        "int32",
        "integers",
        {"low": 0, "high": Expression("n")},
        ["0", "199", "1", "49", "41", "16"],
    ),
    "a list": ("int32", "choice", {"values": (3, 7, 3)}, ["3", "7"]),
}


@pytest.mark.parametrize("name", RANGES)
def test_numbers_apart_are_those_of_the_range(build, name):
    dtype, kind, parameters, values = RANGES[name]
    task = task_of(build, dtype, Init(kind=kind, parameters=parameters))
    assert scalar_changes(task, SIZES) == [f"{SCALAR}s = {value}" for value in values]


def test_a_scalar_that_has_a_value_is_left_alone(build):
    task = task_of(build, "int32", Init(kind="integers", parameters={"low": 1, "high": 9}))
    args = tuple(replace(arg, value=3, init=None) if arg.name == "s" else arg for arg in task.args)
    assert scalar_changes(replace(task, args=args), SIZES) == []


@pytest.mark.parametrize("value", [1, 7, 999])
def test_a_part_of_the_elements_are_multiples(build, value):
    task = task_of(build, "int32", Init(kind="integers", parameters={"low": 1, "high": 1000}))
    base = draw(task, Case(sizes=SIZES, family=Family.DECLARED), secret=secret_from("scalars"), index=0)
    base = replace(base, case=replace(base.case, near=f"{SCALAR}s = {value}"))
    changed = with_scalar(task, base, np.random.default_rng(1))
    assert np.frombuffer(changed.values["s"], np.int32)[0] == value
    x = changed.arrays["x"]
    assert x.min() >= -1000 and x.max() < 1000 and x.dtype == np.int32
    assert (x % value == 0).sum() >= SIZES["n"] // 4
    assert (value == 1) == (x.tobytes() == base.arrays["x"].tobytes())


@pytest.mark.parametrize(("divisor", "inverse"), [(49, np.float64(1) / 49), (41, np.float32(1) / np.float32(41))])
def test_what_divides_by_a_reciprocal_is_wrong_at_multiples(build, divisor, inverse):
    task = task_of(build, "int32", Init(kind="integers", parameters={"low": 1, "high": 1000}))
    base = draw(task, Case(sizes=SIZES, family=Family.DECLARED), secret=secret_from("scalars"), index=0)
    changed = with_scalar(
        task, replace(base, case=replace(base.case, near=f"{SCALAR}s = {divisor}")), np.random.default_rng(1)
    )
    x = changed.arrays["x"]
    assert (np.floor(x.astype(inverse.dtype) * inverse) != x // divisor).any()
