"""Wavefronts: tables of dynamic programming and sweeps in place by diagonals; orders that no skewing keeps are refused."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.plan.wavefronts import Wave, wave_of

from ..judging import first_now, steps

SWEEP = """
void sweep(int n, int m, float* u) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[i * m + j] = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
}
"""
ALIGNED = """
int aligned(int n, const int* a, const int* b, int* table) {
    const int width = n + 1;
    int best = 0;
    for (int i = 1; i <= n; i++) {
        table[i * width] = -i;
        for (int j = 1; j <= n; j++) {
            int s = table[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
            s = s > table[(i - 1) * width + j] - 1 ? s : table[(i - 1) * width + j] - 1;
            s = s > table[i * width + j - 1] - 1 ? s : table[i * width + j - 1] - 1;
            table[i * width + j] = s;
            best = s > best ? s : best;
        }
    }
    return best;
}
"""
BACKWARDS = """
void backwards(int n, int m, double* u) {
    for (int i = n - 2; i >= 0; i--)
        for (int j = 0; j < m - 1; j++)
            u[i * m + j] += 0.5 * u[(i + 1) * m + j] + (j > 0 ? 0.25 * u[i * m + j - 1] : 0.0);
}
"""
STEEP = """
void steep(int n, int m, float* u) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            u[i * m + j] = 0.5f * (u[(i - 1) * m + j + 1] + u[i * m + j - 1]);
}
"""
SKEWED = [(SWEEP, (1, 1)), (ALIGNED, (1, 1)), (BACKWARDS, (1, 1)), (STEEP, (2, 1))]


@pytest.mark.parametrize(("text", "weights"), SKEWED)
def test_weights(text, weights, judging):
    scop = (analysis := analyse(judging.task(text))).scop
    found = [wave_of(nest, scop, atomics_vary=False) for nest in analysis.nests]
    assert [wave.weights for wave in found if isinstance(wave, Wave)] == [weights]


@pytest.mark.parametrize(("text", "weights"), first_now(SKEWED, 1))
def test_wavefronts(text, weights, judging):
    task = judging.task(text)
    source = judging.source(task, ["wavefront"])
    assert "runs in one thread" not in source and "_wave<<<" in source
    assert judging.faults(task, source, Level.FULL if text is SWEEP else Level.SCREEN) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wave_time"])
def test_a_time_loop_is_no_wavefront(name, read_input):
    engine, task = Engine(), read_input(name)
    program = engine.program(task, steps(engine, task, []))
    assert all(isinstance(wave_of(nest, program.scop, atomics_vary=False), str) for nest in program.nests)


BOTH_WAYS = SWEEP.replace("u[(i - 1) * m + j]", "u[(m - 1 - i) * m + m - 1 - j]")
SUMMED = ALIGNED.replace("int best = 0", "float best = 0").replace("best = s > best ? s : best", "best += 0.5f * s")
LINE = """
void integral(int n, int m, const int* a, int* out) {
    for (int i = 0; i < n; i++) {
        int line = 0;
        for (int j = 0; j < m; j++) {
            line += a[i * m + j];
            out[i * m + j] = line + (i > 0 ? out[(i - 1) * m + j] : 0);
        }
    }
}
"""
ONE_LOOP = "void decay(int n, float* x) { for (int i = 1; i < n; i++) x[i] = 0.5f * x[i - 1] * x[i - 1]; }"
GATHER = SWEEP.replace("u[(i - 1) * m + j]", "u[std::clamp((int)u[(i - 1) * m + j], 0, m - 1)]")
BEHIND = (
    SWEEP.replace("j++)\n", "j++) {\n").replace(");\n}", "); }\n").replace("i++)\n", "i++) {\n").rstrip("\n")
    + "\n    u[i * m] = u[i * m + 1]; }\n}\n"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOTH_WAYS, "no skewed order"),
        (SUMMED, "no skewed order"),
        (LINE, "'line' lives through"),
        (ONE_LOOP, "it is one loop"),
        (GATHER, "no skewed order"),
        (BEHIND, "statements follow"),
    ],
)
def test_why_no_wavefront(text, why, judging):
    assert why in judging.refusal(judging.task(text), [], "wavefront")


def test_float_sums_on_the_way_are_updated_by_atomics_only_where_results_may_vary(judging, make_task):
    head = "// shape: a = n\n// shape: b = n\n// shape: table = (n + 1) * (n + 1)\n// check: n=5\n// nondeterministic\n"
    task = make_task(head + SUMMED, "aligned")
    assert "atomicAdd(&" in judging.source(task, ["wavefront"])
