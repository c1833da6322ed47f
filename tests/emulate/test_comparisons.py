"""Which ways of a program's comparisons were never taken: read from a run of its own build, whatever the text makes of them."""

from pathlib import Path

import pytest

from regrapht.emulate.comparisons import read_comparisons
from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.inputs.drawing import Case, as_call, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange
from regrapht.tasks.load import load_task

TASK = load_task(Path(__file__).parents[1] / "cheats" / "tasks" / "affine")
# Between the bounds there are some floats: a compiler that counts them leaves out what lies between neighbours.
NEVER = {
    "a branch": "if (v > 1e9f) v = 0;",
    "its other way": "if (v < 1e9f) z[i] = v;",
    "between two bounds": "if (v > 0.7310f && v < 0.7310003f) v = 0;",
    "without a branch": "v *= 1 - ((v > 0.5131f) & (v < 0.5131002f));",
    "a distance": "v = fabsf(v - 0.3141f) < 1e-8f ? 0 : v;",
    "of whole numbers": "if (n > 5000 && n < 70000) v = 0;",
    "of whole numbers without a sign": "if ((__float_as_uint(v) | 1u) * 2654435761u < 3u) v = 0;",
    "of a float's bits": "if (__float_as_int(v) - 0x3f3b1e00 >> 4 == 0 && v != 0) v = 0;",
    "a loop that ends early": "for (int j = 0; j < 4; ++j) { if (x[i] * j > 1e20f) break; z[i] += j; }",
    "of doubles": "if ((double)v * v > 1e30) v = 0;",
    "nought": "if (__float_as_uint(v) * 2654435761u % 4294967291u == 0) v = 0;",
}
TAKEN = {
    "a guard": "if (i < n) v += 0;",
    "signs": "if (v > 0) v += 0; else z[i] = v;",
    "a loop": "for (int j = 0; j < n; ++j) if (j == i) z[i] = v;",
    "a loop with its own start": "for (int j = threadIdx.x; j < n; j += 64) z[i] += x[j];",
    "lanes": "if (threadIdx.x % 32 < 16) z[i] = v;",
    "in the middle": "if (v > -0.1f && v < 0.2f) z[i] = v;",
    "of a header": "v = fminf(v, 1e30f);",
    "a switch of a remainder": "switch (i % 3) { case 0: z[i] = v; break; case 1: z[i] = v; }",
}
BEFORE = """__global__ void work(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    float v = a * x[i] + y[i];
"""
AFTER = """    z[i] = v;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { work<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
"""
LINES = [*NEVER.items(), *TAKEN.items()]
FIRST = BEFORE.count("\n") + 1


@pytest.fixture(scope="module")
def never():
    emulator = Emulator(choose_sandbox())
    program = emulator.build(
        BEFORE + "".join(f"    {{ {text} }}\n" for _, text in LINES) + AFTER, TASK, checked=False, stacks=True
    )
    inputs = [draw(TASK, Case(sizes={"n": n}, family=Family.DECLARED), secret=7, index=n) for n in (499, 4096)]
    limits = Limits(wall_s=60, memory_bytes=4 * 2**30)
    with Exchange(TASK.parameters, [as_call(TASK, one) for one in inputs]) as exchange:
        return emulator.run(program, exchange, limits=limits, sizes=()).never_taken


@pytest.mark.parametrize("name", NEVER)
def test_a_way_that_no_call_took(never, name):
    assert FIRST + [each for each, _ in LINES].index(name) in never


@pytest.mark.parametrize("name", TAKEN)
def test_where_both_were_taken(never, name):
    assert FIRST + [each for each, _ in LINES].index(name) not in never


GOOD = [16, 3, True, False, True, False, True, 2, True, None, 4.5]


@pytest.mark.parametrize("place", range(len(GOOD)))
def test_a_damaged_one_is_refused(place):
    assert read_comparisons([GOOD])[0].number == 3
    with pytest.raises(ValueError, match="no "):
        read_comparisons([[*GOOD[:place], "", *GOOD[place + 1 :]]])
