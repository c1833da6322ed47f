"""The fast functions of single precision: as far off as NVIDIA documents, and no further; and where they go wrong, they do so here too."""

import numpy as np
import pytest

from regrapht.emulate.emulator import EmulatedProgram

FUNCTIONS = (
    *("__sinf(v)", "__cosf(v)", "__expf(v)", "__exp10f(v)", "__logf(v)", "__log2f(v)", "__log10f(v)", "__tanhf(v)"),
    *(
        "__powf(fabsf(v), 2.5f)",
        "__fdividef(1.0f, v)",
        "rsqrtf(fabsf(v))",
        "__frcp_rn(v)",
        "sine(v)",
        "cosine(v)",
        "__tanf(v)",
    ),
)
SOURCE = """// arrays: x in float32 N; out out float32 {count}*N
// N: {n}
__device__ float sine(float v) {{ float s, c; __sincosf(v, &s, &c); return s; }}
__device__ float cosine(float v) {{ float s, c; __sincosf(v, &s, &c); return c; }}
__global__ void fast(const float* x, float* out, int n) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float v = {argument};
    {assignments}
}}
extern "C" void run(int n, const float* x, float* out) {{ fast<<<(n + 127) / 128, 128>>>(x, out, n); }}
"""
N = 4000


def results(bench, argument, checked=False):
    """Each function's values at `argument`, an expression of x[i] in -0.5 .. 0.5; and the arguments."""
    assignments = "\n    ".join(f"out[{k} * n + i] = {each};" for k, each in enumerate((*FUNCTIONS, "v")))
    count = len(FUNCTIONS) + 1
    source = SOURCE.format(count=count, n=N, argument=argument, assignments=assignments)
    program = bench.build(source, checked=checked)
    assert isinstance(program, EmulatedProgram), program
    out = bench.run(source, program).outputs[0]["out"].reshape(count, N)
    return dict(zip(FUNCTIONS, out, strict=False)), out[-1].astype("f8")


def ulps(got, exact):
    return np.abs(got.astype("f8") - exact) / np.spacing(np.abs(exact.astype("f4"))).astype("f8")


@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_near_the_origin_the_documented_bounds_hold_and_are_used(bench, checked):
    got, v = results(bench, "x[i] * 6.28f", checked)  # -pi .. pi
    for name, exact, bound in (
        ("__sinf(v)", np.sin(v), 2**-21.41),
        ("__cosf(v)", np.cos(v), 2**-21.19),
        ("sine(v)", np.sin(v), 2**-21.41),
        ("cosine(v)", np.cos(v), 2**-21.19),
    ):
        off = np.abs(got[name] - exact).max()
        assert bound / 8 < off <= bound, (name, off)
    assert (ulps(got["__expf(v)"], np.exp(v)) <= 2 + np.floor(np.abs(1.173 * v))).all()
    assert (ulps(got["__exp10f(v)"], 10.0**v) <= 2 + np.floor(np.abs(2.97 * v))).all()
    assert (np.abs(got["__tanhf(v)"] / np.tanh(v) - 1) <= 2**-10.9).all() and (
        ulps(got["__tanhf(v)"], np.tanh(v)) > 100
    ).any()
    assert (ulps(got["__fdividef(1.0f, v)"], 1 / v) <= 2).all() and (
        got["__fdividef(1.0f, v)"] != (1 / v).astype("f4")
    ).any()
    assert (ulps(got["rsqrtf(fabsf(v))"], np.abs(v) ** -0.5) <= 2).all()
    assert (got["__frcp_rn(v)"] == (1 / v).astype("f4")).all()


def test_logarithms_near_one_and_elsewhere(bench):
    got, v = results(bench, "1.25f + 1.5f * x[i]")  # 0.5 .. 2
    for name, exact, bound in (
        ("__logf(v)", np.log(v), 2**-21.41),
        ("__log2f(v)", np.log2(v), 2**-22),
        ("__log10f(v)", np.log10(v), 2**-24),
    ):
        off = np.abs(got[name] - exact).max()
        assert bound / 8 < off <= bound, (name, off)
    near = np.abs(v - 1) < 1e-3
    assert (np.abs(got["__logf(v)"] / np.log(v) - 1)[near] > 1e-5).any(), "the error near 1 is absolute"
    got, v = results(bench, "exp2f(200.0f * x[i])")
    far = (v < 0.5) | (v > 2)
    assert (ulps(got["__log2f(v)"], np.log2(v))[far] <= 2).all() and (ulps(got["__logf(v)"], np.log(v))[far] <= 3).all()
    assert (ulps(got["__log10f(v)"], np.log10(v))[far] <= 3).all()


def test_large_arguments_are_not_reduced(bench):
    got, v = results(bench, "20000.0f * x[i]")
    assert 1e-5 < np.abs(got["__sinf(v)"] - np.sin(v)).max() < 3e-3
    assert 1e-5 < np.abs(got["__cosf(v)"] - np.cos(v)).max() < 3e-3
    assert np.nanmax(np.abs(got["__tanf(v)"] - np.tan(v))) > 1e-3


def test_powers_lose_what_their_logarithm_loses(bench):
    got, v = results(bench, "1.0e12f * x[i]")
    off = np.abs(got["__powf(fabsf(v), 2.5f)"] / np.abs(v) ** 2.5 - 1)
    assert 1e-6 < off.max() < 1e-4


def test_quotients_by_huge_numbers_are_zero(bench):
    got, v = results(bench, "copysignf(1.6e38f, x[i])")
    assert (np.abs(v) > 2.0**126).all() and (got["__fdividef(1.0f, v)"] == 0).all()
    assert (np.signbit(got["__fdividef(1.0f, v)"]) == (v < 0)).all()


def test_special_values(bench):
    got, _ = results(bench, "(i & 1 ? 1 : -1) * __int_as_float(0x7f800000)")
    exp, log, sine = got["__expf(v)"], got["__logf(v)"], got["__sinf(v)"]
    assert (
        (exp[1::2] == np.inf).all() and (exp[::2] == 0).all() and (log[1::2] == np.inf).all() and np.isnan(sine).all()
    )
    assert (got["__tanhf(v)"][1::2] == 1).all() and (got["__fdividef(1.0f, v)"] == 0).all()
    got, _ = results(bench, "0.0f")
    assert (got["__logf(v)"] == -np.inf).all() and (got["__expf(v)"] == 1).all() and (got["__sinf(v)"] == 0).all()
    assert (got["__powf(fabsf(v), 2.5f)"] == 0).all() and np.isinf(got["__fdividef(1.0f, v)"]).all()
    got, _ = results(bench, "__int_as_float(0x7fc00000)")
    assert all(np.isnan(each).all() for each in got.values())
