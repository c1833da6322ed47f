"""Recurrences whose carried magnitudes grow without end: their bars must not let everything pass."""

import numpy as np
import pytest

from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.compare.tolerances import calibrate, magnitudes_hold
from regrapht.evaluate.inputs.drawing import Case, secret_from
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import WideColumn
from regrapht.records.verdict import Level, Status

from ..conftest import array, make_task, size

SECRET = secret_from("test_growing_magnitudes")
DIAMOND = """void diamond(int rows, int cells, const float* source, const float* left, float* leak) {
    for (int r = 0; r < rows; ++r) {
        float psi = left[r];
        for (int i = 0; i < cells; ++i) {
            float mid = (source[r * cells + i] + 4.0f * psi) / 5.0f;
            psi = 2.0f * mid - psi;
        }
        leak[r] = psi;
    }
}
"""


@pytest.fixture(scope="module")
def diamond():
    args = (
        size("rows"),
        size("cells"),
        array("source", "rows,cells", "in"),
        array("left", "rows", "in"),
        array("leak", "rows", "out"),
    )
    return make_task("diamond", DIAMOND, args, ({"rows": 40, "cells": 90},), length="3*cells")


def test_a_wrong_end_of_a_recurrence_is_refused(diamond, sandbox):
    oracle = Oracle(diamond, CompiledReference(diamond, sandbox), secret=SECRET)
    (sizes,) = diamond.check_sizes
    (trial,) = oracle.trials([Case(sizes=sizes, family=Family.SIGNED)])
    right = trial.expected.as_written["leak"]
    assert trial.expected.wide["leak", ""].scale.min() > 1e20  # what is not to be believed
    tolerances = oracle.tolerances(sizes)

    def status(leak):
        return compare_case(
            diamond, trial.inputs, trial.expected, {"leak": leak.astype("f4")}, tolerances=tolerances
        ).status

    assert status(right) is None and status(right * (1 + 2e-7)) is None
    assert status(np.full_like(right, right[0])) is Status.WRONG_VALUE
    assert status(right * (1 + 1e-4)) is Status.WRONG_VALUE


def test_no_cancelling_inputs_where_nothing_is_known_of_cancelling(diamond, sandbox):
    oracle = Oracle(diamond, CompiledReference(diamond, sandbox), secret=SECRET)
    found = {trial.inputs.case.family for trial in oracle.trials(oracle.cases(Level.FULL))}
    assert Family.SIGNED in found and Family.CANCELLING not in found


def test_magnitudes_of_sums_hold(dot, sandbox):
    for sizes in dot.check_sizes:
        assert all(
            tolerance.by_magnitudes
            for tolerance in calibrate(dot, CompiledReference(dot, sandbox), sizes, secret=SECRET).values()
        )


@pytest.mark.parametrize(("scale", "holds"), [(None, True), (2.0, True), (1e3, True), (1e9, False), (np.inf, False)])
def test_which_magnitudes_hold(scale, holds):
    wide = WideColumn(values=np.ones(8), scale=None if scale is None else np.full(8, scale))
    assert magnitudes_hold([np.ones(8) + 1e-7], [wide], length=100, unit=2.0**-24) is holds
