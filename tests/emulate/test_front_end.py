"""What a compiler does before it makes any code has a limit, which honest programs do not come near and bombs meet."""

from pathlib import Path

import pytest

from regrapht.emulate import front_end
from regrapht.emulate.emulator import Emulator
from regrapht.records.verdict import Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.tasks.load import load_task

TASK = load_task(Path(__file__).parents[1] / "cheats" / "tasks" / "affine")
GOOD = """
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }
"""
DOUBLES = """template <int N, long K> int f(int x) {
    if constexpr (N == 0) return x + K; else return f<N - 1, 2 * K>(x) + f<N - 1, 2 * K + 1>(x);
}
int q(int x) { return f<DEPTH, 1>(x); }
"""


@pytest.fixture(scope="module")
def emulator():
    return Emulator(choose_sandbox())


@pytest.mark.slow
@pytest.mark.parametrize("build", [{"checked": True}, {"checked": False}, {"checked": False, "stacks": True}], ids=str)
def test_templates_that_double_are_ended_and_the_limit_is_told(emulator, build):
    refused = emulator.build(DOUBLES.replace("DEPTH", "22") + GOOD, TASK, **build)
    assert refused.status is Status.TIMED_OUT and "more than 4 s of processor time" in refused.message


@pytest.mark.slow
def test_what_takes_long_but_is_read_soon_is_built(emulator, monkeypatch):
    """As on a machine where every build takes longer than what is looked at."""
    monkeypatch.setattr(front_end, "_LOOKS_AFTER_S", 0.0)
    built = emulator.build(DOUBLES.replace("DEPTH", "6") + GOOD, TASK, checked=True)
    assert built.checked and built.library


def test_a_program_that_does_not_compile_has_its_own_errors(emulator, monkeypatch):
    monkeypatch.setattr(front_end, "_LOOKS_AFTER_S", 0.0)
    refused = emulator.build(GOOD.replace("a * x", "nothing * x"), TASK, checked=True)
    assert refused.status is Status.BUILD_FAILED and "nothing" in refused.message
