"""A task whose arrays lie on the host is judged end to end: what the engine writes for it, what people write, and what only pretends."""

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.memory.host_work import UNCHECKED
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task
from regrapht.transform import plain

TASK = """schema = 1
id = "mixed"
entry = "mixed"
[reference]
file = "reference.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "a"
kind = "scalar"
dtype = "float32"
init = { kind = "uniform", low = 0.4, high = 0.6 }
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
shape = ["n"]
role = "inout"
[sizes]
check = [{ n = 1 }, { n = 1000 }, { n = 5003 }]
bench = [{ n = 65536 }]
[tolerance]
reduction_length = 1
[candidate]
residency = "host"
"""
REFERENCE = "void mixed(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i] * y[i]; }"
PROGRAM = """#include <cstring>
#include <vector>
#include <cuda_fp16.h>
__global__ void mix(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = VALUE;
}
extern "C" void mixed(int n, float a, const float* x, float* y) {
    const size_t bytes = n * sizeof(float);
    float *u, *v;
    cudaMalloc(&u, bytes), cudaMalloc(&v, bytes);
    SEND
    mix<<<(n + 127) / 128, 128>>>(n, a, u, v);
    RECEIVE
    cudaFree(u), cudaFree(v);
}
"""
RIGHT = "a * x[i] + y[i] * y[i]"
ON_HOST = "for (int i = 0; i < n; ++i) "
SEND = "cudaMemcpy(u, x, bytes, cudaMemcpyHostToDevice); cudaMemcpy(v, y, bytes, cudaMemcpyHostToDevice);"
RECEIVE = "cudaMemcpy(y, v, bytes, cudaMemcpyDeviceToHost);"
STAGED = "float *p; cudaMallocHost(&p, bytes); std::memcpy(p, x, bytes); cudaMemcpyAsync(u, p, bytes, cudaMemcpyHostToDevice);"
IN_PARTS = (
    "for (int f = 0; f < n; f += 1000) { const size_t c = sizeof(float) * (n - f < 1000 ? n - f : 1000);"
    "cudaMemcpyAsync(u + f, x + f, c, cudaMemcpyHostToDevice); cudaMemcpyAsync(v + f, y + f, c, cudaMemcpyHostToDevice); }"
)
PACKED = (
    "std::vector<float> w(n); for (int i = 0; i < n; ++i) w[i] = 2 * x[i];"
    "cudaMemcpy(u, w.data(), bytes, cudaMemcpyHostToDevice); cudaMemcpy(v, y, bytes, cudaMemcpyHostToDevice);"
)
COMPUTED = f"std::vector<float> w(n); {ON_HOST} w[i] = a * x[i] + y[i] * y[i]; {SEND}"
HONEST = {
    "copies": (RIGHT, SEND, RECEIVE),
    "page-locked staging": (
        RIGHT,
        STAGED + "cudaMemcpyAsync(v, y, bytes, cudaMemcpyHostToDevice);",
        RECEIVE + "cudaFreeHost(p);",
    ),
    "in parts": (RIGHT, IN_PARTS, RECEIVE),
    "pinned in place": (
        RIGHT,
        "cudaHostRegister((void*)x, bytes, cudaHostRegisterDefault);" + SEND,
        RECEIVE + "cudaHostUnregister((void*)x);",
    ),
    "read back through a buffer": (
        RIGHT,
        SEND,
        "std::vector<float> w(n); cudaMemcpy(w.data(), v, bytes, cudaMemcpyDeviceToHost); std::memcpy(y, w.data(), bytes);",
    ),
    "scaled by the host on the way": ("a * 0.5f * x[i] + y[i] * y[i]", PACKED, RECEIVE),
}
CHEATS = {
    "nothing from the device": (RIGHT, COMPUTED, "std::memcpy(y, w.data(), bytes);"),
    "arrays sent for show": (
        "x[i] - y[i]",
        SEND,
        "float t; cudaMemcpy(&t, v, 4, cudaMemcpyDeviceToHost);" + ON_HOST + "y[i] = a * x[i] + y[i] * y[i];",
    ),
    "all but one element": (
        RIGHT,
        COMPUTED,
        "std::memcpy(y, w.data(), bytes); cudaMemcpy(y, v, 4, cudaMemcpyDeviceToHost);",
    ),
}


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "task.toml").write_text(TASK)
    (folder / "reference.cpp").write_text(REFERENCE)
    return load_task(folder)


@pytest.fixture(scope="module")
def judge_of():
    evaluator = EmulatedEvaluator(choose_sandbox())
    available = evaluator.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")

    def of(task):
        def judged(source, level=Level.SCREEN):
            made = Candidate(
                source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0)
            )
            return evaluator.evaluate(task, made, level=level)

        return judged

    return of


@pytest.fixture(scope="module")
def judge(judge_of, task):
    return judge_of(task)


def written(value, send, receive):
    return PROGRAM.replace("VALUE", value).replace("SEND", send).replace("RECEIVE", receive)


def test_what_the_engine_writes(judge, task):
    verdict = judge(plain(task), Level.FULL)
    assert verdict.status is Status.PASSED and UNCHECKED not in verdict.labels, (verdict.reason, verdict.labels)


def test_what_the_engine_writes_where_an_output_is_no_input(judge_of, tmp_path):
    """It sends what the output holds before the call, which is nothing."""
    (tmp_path / "task.toml").write_text(TASK.replace('role = "inout"', 'role = "out"'))
    (tmp_path / "reference.cpp").write_text(REFERENCE.replace(" + y[i] * y[i]", ""))
    other = load_task(tmp_path)
    verdict = judge_of(other)(plain(other))
    assert verdict.status is Status.PASSED and UNCHECKED not in verdict.labels, (verdict.reason, verdict.labels)


@pytest.mark.parametrize("name", HONEST)
def test_what_people_write(judge, name):
    verdict = judge(written(*HONEST[name]))
    assert verdict.status is Status.PASSED, verdict.reason
    assert (UNCHECKED in verdict.labels) == ("by the host" in name), (
        "what is sent in another form leaves the question open"
    )


@pytest.mark.parametrize("name", CHEATS)
def test_what_only_pretends(judge, name):
    verdict = judge(written(*CHEATS[name]))
    assert verdict.status is Status.POLICY_REJECTED and "host" in verdict.reason, (verdict.status, verdict.reason)


def test_what_is_wrong(judge):
    assert judge(written("a * x[i] + y[i]", SEND, RECEIVE)).status is Status.WRONG_VALUE
    beyond = written(RIGHT, SEND, RECEIVE).replace("cudaMemcpy(y, v, bytes", "cudaMemcpy(y, v, bytes + 64")
    assert judge(beyond).status in (Status.OUT_OF_BOUNDS, Status.CRASHED, Status.BAD_POINTER)


@pytest.mark.gpu
@pytest.mark.parametrize("level", [Level.SCREEN, Level.FULL])
@pytest.mark.parametrize("name", ["engine", "copies", "page-locked staging"])
def test_on_a_gpu_with_transfers_in_its_time(task, sandbox, name, level):
    evaluator = LocalGpuEvaluator(sandbox)
    available = evaluator.availability()
    if not available.available:
        pytest.skip(f"no GPU to judge on: {available.reason}")
    source = plain(task) if name == "engine" else written(*HONEST[name])
    made = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))
    verdict = evaluator.evaluate(task, made, level=level)
    assert verdict.status is Status.PASSED, (verdict.status, verdict.reason)
    (shape,) = verdict.timing
    assert shape.with_transfers is not None and shape.with_transfers.samples_us == shape.end_to_end.samples_us
    wrong = written("a * x[i] + y[i]", SEND, RECEIVE)
    made = Candidate(source=wrong, program_hash=program_hash(wrong), origin=Origin(proposer="hand", seconds=0.0))
    assert evaluator.evaluate(task, made, level=level).status is Status.WRONG_VALUE
