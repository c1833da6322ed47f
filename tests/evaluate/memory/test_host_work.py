"""Host code that computes outputs is told from host code that controls, by what outputs depend on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.inputs.near_inputs import near
from regrapht.evaluate.memory.host_work import UNCHECKED, _inserted, _known_to_host, _pair
from regrapht.evaluate.reference.expected import Expected, Trial
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

TASK = Path(__file__).parents[2] / "cheats" / "tasks" / "affine"
PROGRAM = """#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>
static unsigned blocks(int n) { return (n + 255) / 256; }
static size_t bytes(int n) { return n * sizeof(float); }
KERNELS
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::vector<float> u(n), v(n);
    float *s = nullptr, *t = nullptr;
    cudaMalloc(&s, bytes(n)), cudaMalloc(&t, bytes(n));
    BODY
    cudaFree(s), cudaFree(t);
}
"""
AT = "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)"
HEAD = "__global__ void work(int n, float a, const float* x, const float* y, const float* s, const float* t, float* z)"
KERNEL = f"{HEAD} {{ {AT} z[i] = VALUE; }}"
LAUNCH = "work<<<blocks(n), 256>>>(n, a, x, y, s, t, z);"
READ = "cudaMemcpy(u.data(), x, bytes(n), cudaMemcpyDeviceToHost); cudaMemcpy(v.data(), y, bytes(n), cudaMemcpyDeviceToHost);"
SUM = "for (int i = 0; i < n; i++) u[i] = a * u[i] + v[i];"
SEND = "cudaMemcpy(s, u.data(), bytes(n), cudaMemcpyHostToDevice);"


BYTES = """for (int i = 0; i < n; i++) { unsigned char b[4]; memcpy(b, &u[i], 4);
    for (int j = 0; j < 4; j++) cudaMemsetAsync((char*)z + 4 * i + j, b[j], 1); }"""
ROWS = """for (int i = 0; i < n; i++) { unsigned char b[4]; memcpy(b, &u[i], 4);
    for (int j = 0; j < 4; j++) cudaMemset2D((char*)t + 4 * i + j, 1, b[j], 1, 1); }"""


def program(value, body, kernels=""):
    return PROGRAM.replace("KERNELS", kernels + KERNEL.replace("VALUE", value)).replace("BODY", body + LAUNCH)


CHEATS = {
    "inputs read for show": program("s[i] + 0 * (x[i] + y[i])", READ + SUM + SEND),
    "inputs copied by a kernel first": program(
        "s[i]",
        "first<<<blocks(n), 256>>>(n, x, y, s, t);"
        "cudaMemcpy(u.data(), s, bytes(n), cudaMemcpyDeviceToHost); cudaMemcpy(v.data(), t, bytes(n), cudaMemcpyDeviceToHost);"
        + SUM
        + SEND,
        f"__global__ void first(int n, const float* x, const float* y, float* s, float* t) {{ {AT} s[i] = x[i], t[i] = y[i]; }}\n",
    ),
    "by way of a __constant__": program(
        "held[i]",
        READ + SUM + "cudaMemcpyToSymbol(held, u.data(), bytes(n));",
        "__constant__ float held[16384];\n",
    ),
    "in pinned memory": program(
        "s[i]",
        "float* p; cudaMallocHost(&p, 2 * bytes(n));"
        "cudaMemcpy(p, x, bytes(n), cudaMemcpyDeviceToHost); cudaMemcpy(p + n, y, bytes(n), cudaMemcpyDeviceToHost);"
        "for (int i = 0; i < n; i++) p[i] = a * p[i] + p[n + i];"
        "cudaMemcpy(s, p, bytes(n), cudaMemcpyHostToDevice); cudaFreeHost(p);",
    ),
    "as parameters of launches": program(
        "z[i]",
        READ
        + SUM
        + "for (int f = 0; f < n; f += 64) { Part p; for (int k = 0; k < 64; k++) p.v[k] = f + k < n ? u[f + k] : 0;"
        "put<<<1, 64>>>(n, f, p, z); }",
        "struct Part { float v[64]; };\n"
        "__global__ void put(int n, int f, Part p, float* z) { if (f + threadIdx.x < n) z[f + threadIdx.x] = p.v[threadIdx.x]; }\n",
    ),
}
CHEATS |= {
    "values of memset, byte by byte": program("x[i] + y[i]", READ + SUM).replace(
        "    cudaFree(s), cudaFree(t);", BYTES + "cudaFree(s), cudaFree(t);"
    ),
    "values of memset of rows": program("t[i]", READ + SUM + ROWS),
    "numbers of blocks and threads": program(
        "z[i]",
        READ + SUM + "for (int i = 0; i < n; i++) { unsigned char b[4]; memcpy(b, &u[i], 4);"
        "for (int j = 0; j < 4; j++) digit<<<b[j] / 16 + 1, b[j] % 16 + 1>>>(4 * i + j, (unsigned char*)z); }",
        "__global__ void digit(int i, unsigned char* z) "
        "{ if (blockIdx.x + threadIdx.x == 0) z[i] = 16 * (gridDim.x - 1) + blockDim.x - 1; }\n",
    ),
    "read in place from managed memory": program(
        "s[i]",
        "float* m; cudaMallocManaged(&m, 2 * bytes(n)); first<<<blocks(n), 256>>>(n, x, y, m); cudaDeviceSynchronize();"
        "for (int i = 0; i < n; i++) u[i] = a * m[i] + m[n + i];" + SEND + "cudaFree(m);",
        f"__global__ void first(int n, const float* x, const float* y, float* m) {{ {AT} m[i] = x[i], m[n + i] = y[i]; }}\n",
    ),
    "computed in place in managed memory": program(
        "s[i]",
        "float* m; cudaMallocManaged(&m, 2 * bytes(n)); first<<<blocks(n), 256>>>(n, x, y, m); cudaDeviceSynchronize();"
        "for (int i = 0; i < n; i++) m[i] = a * m[i] + m[n + i];"
        "last<<<blocks(n), 256>>>(n, m, s); cudaDeviceSynchronize(); cudaFree(m);",
        f"__global__ void first(int n, const float* x, const float* y, float* m) {{ {AT} m[i] = x[i], m[n + i] = y[i]; }}\n"
        f"__global__ void last(int n, const float* m, float* s) {{ {AT} s[i] = m[i]; }}\n",
    ),
}
HONEST = {
    "scratch cleared in pieces, a flag read after each": program(
        "a * x[i] + y[i] + s[i]",
        "for (int i = 0; i < n; i += 64) { cudaMemsetAsync(s + i, 0, 4 * std::min(64, n - i));"
        "cudaMemcpy(u.data(), s + i, 4, cudaMemcpyDeviceToHost); }",
    ),
    "managed memory that the host looks through": program(
        "z[i]",
        "float* m; cudaMallocManaged(&m, bytes(n)); cudaMemcpy(m, x, bytes(n), cudaMemcpyDefault); cudaDeviceSynchronize();"
        "int first = -1; for (int i = 0; i < n && first < 0; i++) if (m[i] > 1e30f) first = i;"
        "managed<<<blocks(n), 256>>>(n, a, m, y, z, first); cudaDeviceSynchronize(); cudaFree(m);",
        "__global__ void managed(int n, float a, const float* m, const float* y, float* z, int f) "
        f"{{ {AT} z[i] = f < 0 ? a * m[i] + y[i] : 0; }}\n",
    ),
    "passed on unchanged": program(
        "a * s[i] + t[i]", READ + SEND + "cudaMemcpy(t, v.data(), bytes(n), cudaMemcpyHostToDevice);"
    ),
    "a table of the sizes beside the largest value": program(
        "a * x[i] + y[i] + 0 * s[i]",
        READ + "const float top = *std::max_element(u.begin(), u.end());"
        "std::iota(u.begin(), u.end(), 0.0f); if (top > -1e30f) {" + SEND + "}",
    ),
    "an order that the host has sorted": program(
        "z[i]",
        READ + "std::vector<int> order(n); std::iota(order.begin(), order.end(), 0);"
        "std::sort(order.begin(), order.end(), [&](int i, int j) { return u[i] < u[j] || (u[i] == u[j] && i < j); });"
        "cudaMemcpy(s, order.data(), bytes(n), cudaMemcpyHostToDevice); by<<<blocks(n), 256>>>(n, a, x, y, (const int*)s, z);",
        "__global__ void by(int n, float a, const float* x, const float* y, const int* o, float* z) "
        f"{{ {AT} z[o[i]] = a * x[o[i]] + y[o[i]]; }}\n",
    ),
    "halves that the host finds by value": program(
        "z[i]",
        READ
        + "for (int i = 0; i < n; i++) v[i] = u[i] > 0; std::copy(v.begin(), v.end(), u.begin());"
        + SEND
        + "sides<<<blocks(n), 256>>>(n, a, x, y, s, z);",
        "__global__ void sides(int n, float a, const float* x, const float* y, const float* s, float* z) "
        f"{{ {AT} z[i] = s[i] > 0 ? a * x[i] + y[i] : fmaf(a, x[i], y[i]); }}\n",
    ),
}


@pytest.fixture(scope="module")
def judge():
    evaluator = EmulatedEvaluator(choose_sandbox())
    available = evaluator.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")
    task = load_task(TASK)

    def judged(source):
        made = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))
        return evaluator.evaluate(task, made, level=Level.SCREEN)

    return judged


@pytest.mark.parametrize("name", CHEATS)
def test_what_the_host_computed_is_refused_however_it_travels(judge, name):
    verdict = judge(CHEATS[name])
    assert verdict.status is Status.POLICY_REJECTED, (verdict.status, verdict.reason)
    assert "host" in verdict.reason and "kernels" in verdict.feedback


@pytest.mark.parametrize("name", HONEST)
def test_a_host_that_controls_passes(judge, name):
    verdict = judge(HONEST[name])
    assert verdict.status is Status.PASSED and UNCHECKED not in verdict.labels, (verdict.reason, verdict.labels)


def test_known_to_the_host_is_what_many_values_say():
    earlier, right = np.arange(3000, dtype="f4"), np.arange(3000, dtype="f4") + 1
    assert _known_to_host(earlier, right, earlier) and not _known_to_host(earlier, right, right)
    assert not _known_to_host(earlier, right, np.zeros(3000, "f4"))
    assert _known_to_host(earlier, right, np.where(np.arange(3000) < 1100, earlier, right))
    assert not _known_to_host(earlier, right, np.where(np.arange(3000) < 1000, earlier, right))


def test_few_values_must_nearly_all_be_the_earlier_ones():
    rng = np.random.default_rng(5)
    earlier, right, other = (rng.integers(0, 2, 20000).astype("i1") for _ in range(3))
    assert _known_to_host(earlier, right, earlier) and not _known_to_host(earlier, right, other)
    one, two = np.full(5000, 1.5, "f4"), np.full(5000, 2.5, "f4")
    assert not _known_to_host(one, two, one), "one value is the last step of a reduction"
    assert not _known_to_host(earlier, earlier, earlier)


@pytest.mark.parametrize("_", range(30))
def test_the_calls_of_the_proof_lie_anywhere_behind_the_first(_):
    calls = list("abcde")
    plain, replayed = _inserted(calls, "mixed", after=2)
    assert calls[plain] == calls[replayed] == "mixed" and plain != replayed and min(plain, replayed) > 2
    assert [call for call in calls if call != "mixed"] == list("abcde")


SUM_TASK = """schema = 1
id = "total"
entry = "total"
[reference]
file = "reference.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["1"]
role = "out"
[sizes]
check = [{ n = 5003 }]
"""
SUM_REFERENCE = (
    "void total(int n, const float* x, float* y) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; *y = s; }"
)
PARTS = """#include <vector>
__global__ void parts(int n, const float* x, float* p) {
    float s = 0;
    for (int i = blockIdx.x * SHARE; i < n && i < (blockIdx.x + 1) * SHARE; i++) s += x[i];
    p[blockIdx.x] = s;
}
__global__ void put(float s, float* y) { *y = s; }
extern "C" void total(int n, const float* x, float* y) {
    const int count = (n + SHARE - 1) / SHARE;
    float* p; cudaMalloc(&p, 4 * count);
    parts<<<count, 1>>>(n, x, p);
    std::vector<float> u(count); cudaMemcpy(u.data(), p, 4 * count, cudaMemcpyDeviceToHost);
    float s = 0; for (float v : u) s += v;
    put<<<1, 1>>>(s, y);
    cudaFree(p);
}
"""


@pytest.mark.parametrize(
    ("share", "status"), [(1, Status.POLICY_REJECTED), (2, Status.POLICY_REJECTED), (64, Status.PASSED)]
)
def test_a_small_output_may_have_its_last_step_from_the_host_alone(tmp_path, share, status):
    """Who reads a quarter of the inputs, or more, has not left the work to the device."""
    (tmp_path / "task.toml").write_text(SUM_TASK)
    (tmp_path / "reference.cpp").write_text(SUM_REFERENCE)
    source = PARTS.replace("SHARE", str(share))
    made = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))
    verdict = EmulatedEvaluator(choose_sandbox()).evaluate(load_task(tmp_path), made, level=Level.SCREEN)
    assert verdict.status is status, (verdict.reason, verdict.labels)


def test_the_calls_that_are_compared_differ_by_their_arrays():
    """A near call may differ from the one before by a scalar alone, and its outputs everywhere: kernels that then see `other arrays` see
    the same ones, and nothing would be proven."""
    task, sizes = load_task(TASK), {"n": 4096}
    declared = Case(sizes=sizes, family=Family.DECLARED)
    inputs = [draw(task, declared, secret=5, index=0)]
    inputs.append(replace(near(task, inputs[0], "a", np.random.default_rng(5)), case=replace(declared, near="a")))
    inputs.append(replace(inputs[1], case=declared))
    inputs.append(draw(task, declared, secret=5, index=1))
    outputs = [{"z": np.full(4096, i, "f4")} for i in range(3)] + [{"z": np.full(4096, 0, "f4")}]
    outputs[3]["z"][:2000] = 3
    trials = [
        Trial(inputs=each, expected=Expected(as_written=o, wide=None)) for each, o in zip(inputs, outputs, strict=True)
    ]
    assert _pair(task, trials, outputs, range(4)) == (2, 3), "not the calls that differ by a scalar, nor the near one"
    assert _pair(task, trials[:3], outputs[:3], range(3)) is None
