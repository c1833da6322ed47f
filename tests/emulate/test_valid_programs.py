"""Correct programs give the right outputs in every build and schedule, and no finding of severity error."""

import math
from pathlib import Path

import numpy as np
import pytest

from regrapht.emulate.emulator import EmulatedProgram, Schedule
from regrapht.records.verdict import Severity

FILES = sorted((Path(__file__).parent / "valid").glob("*.cu"))
# Warnings that a correct program may carry, because it really uses such a protocol.
REMARKS = {
    "spin_lock": {"race_unverified_fence", "atomic_and_plain"},
    "last_block_fence": {"atomic_and_plain", "race_unverified_fence"},
}


def transposed(x):
    n = math.isqrt(x.size)
    return x.reshape(n, n).T.ravel()


def matmul(a, b):
    n = math.isqrt(a.size)
    return (a.reshape(n, n).astype("f8") @ b.reshape(n, n).astype("f8")).ravel()


def stencil(x):
    n = math.isqrt(x.size)
    padded = np.pad(x.reshape(n, n).astype("f8"), 2, mode="edge")
    total = sum(padded[2 + d : 2 + d + n, 2 : 2 + n] + padded[2 : 2 + n, 2 + d : 2 + d + n] for d in range(-2, 3))
    return (total / 10).ravel()


def block_totals(x):
    return [x[start : start + 512].sum() for start in range(0, x.size, 512)]


def jacobi(x):
    x = x.astype("f8")
    for _ in range(6):
        x = np.concatenate([x[:1], 0.5 * (x[:-2] + x[2:]), x[-1:]])
    return x


def softmax(x):
    rows = np.exp(x.reshape(-1, 64).astype("f8"))
    return (rows / rows.sum(axis=1, keepdims=True)).ravel()


def rotated(x):
    for k in range(2050):
        if k % 1024 == 0:
            x = np.roll(x, -1)
    return x


def bfloat16_scaled(x):
    scaled = (x.astype("u4") << 16).view("f4") * np.float32(1.5)
    bits = scaled.view("u4")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("u2")


def warp_functions(x):
    result = np.zeros((6, x.size), "i8")
    for first in range(0, x.size, 32):
        v = x[first : first + 32].astype("i8")
        part = result[:, first : first + 32]
        part[0], part[1] = v.sum(), v.max()
        part[2] = [np.int64(sum(1 << j for j in range(32) if v[j] % 4 == v[i] % 4)).astype("i4") for i in range(32)]
        part[3] = 1
        part[4] = np.concatenate([v[:1], v[:-1]])
        part[5] = [
            (int(a) << 24) - (2**32 if a > 127 else 0) + a + 3 + a.bit_count() + 32 - (int(a) | 1).bit_length()
            for a in map(int, v)
        ]
    return result.ravel()


def swapped_pairs(x):
    return x.reshape(-1, 2)[:, ::-1].ravel()


TAPS = 0.1 * np.arange(1, 10)
EXPECTED = {
    "ballot_compact": lambda x: {"count": [(x > 50).sum()]},
    "bfloat16_scale": bfloat16_scaled,
    "bytes_in_place": lambda x: 255 - x,
    "constant_convolution": lambda x: np.correlate(np.pad(x.astype("f8"), 4), TAPS, "valid"),
    "cooperative_tiles": lambda x: [x.sum()],
    "copy_float4": lambda x: 2 * x,
    "grid_sync_jacobi": jacobi,
    "histogram": lambda x: np.bincount(x, minlength=256),
    "host_round_trip": swapped_pairs,
    "host_side_cpp": lambda x: x + 1,
    "last_block_fence": lambda x: [x.sum(dtype="f8")],
    "many_barriers": rotated,
    "many_launches": lambda x: np.roll(x, -1500),
    "matmul_tiled_template": matmul,
    "one_thread": lambda x: x,
    "reduce_dynamic_shared": block_totals,
    "reduce_shuffle": lambda x: [x.sum(dtype="f8")],
    "scan_blelloch": lambda x: np.concatenate([[0], np.cumsum(x, dtype="f8")[:-1]]),
    "softmax_half": softmax,
    "spin_lock": lambda x: [64 * 4],
    "stencil_halo": stencil,
    "syntax_mix": lambda x: x + 1,
    "template_functor": lambda x: x * x,
    "transpose_naive": transposed,
    "transpose_tiled_pad0": transposed,
    "transpose_tiled_pad1": transposed,
    "vector_add": lambda a, b: a + b,
    "warp_functions": warp_functions,
}


def test_every_program_has_an_expectation():
    assert {path.stem for path in FILES} == set(EXPECTED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_valid_program(bench, path):
    source = path.read_text()
    for checked in (True, False):
        program = bench.build(source, checked=checked)
        assert isinstance(program, EmulatedProgram), program
        schedules = (
            [(Schedule.FORWARD, 0), (Schedule.REVERSE, 0), (Schedule.RANDOM, 11)]
            if checked
            else [(Schedule.FORWARD, 0)]
        )
        for schedule, seed in schedules:
            outcome = bench.run(source, program, schedule=schedule, seed=seed, calls=2 if checked else 1)
            what = f"{path.stem}, checked {checked}, {schedule}, seed {seed}: {outcome.run.completed} {outcome.calls}"
            assert outcome.run.completed.ok and outcome.completed, what
            assert outcome.run.unsupported is None
            assert all(call.flags == 0 for call in outcome.calls), what
            errors = [finding for finding in outcome.run.findings if finding.severity is Severity.ERROR]
            assert not errors, (what, errors)
            remarks = {finding.kind for finding in outcome.run.findings}
            assert remarks <= REMARKS.get(path.stem, set()), (what, outcome.run.findings)
            for got in outcome.outputs:
                compare(got, EXPECTED[path.stem](*outcome.inputs.values()), what)
            if checked:
                assert all(evidence is not None and evidence.modelled_cost > 0 for evidence in outcome.run.evidence)


def compare(got, expected, what):
    if not isinstance(expected, dict):
        expected = {list(got)[-1]: expected}
    for name, wanted in expected.items():
        wanted = np.asarray(wanted)
        if got[name].dtype.kind == "f":
            np.testing.assert_allclose(got[name], wanted, rtol=2e-3, atol=2e-4, err_msg=what)
        else:
            np.testing.assert_array_equal(got[name].astype("i8"), wanted.astype("i8"), err_msg=what)
