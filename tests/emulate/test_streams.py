"""What orders work on the device, and what does not: each program is one that CUDA's documentation speaks of."""

import random
import re

import pytest

from regrapht.emulate.emulator import EmulatedProgram
from regrapht.records.task import Residency
from regrapht.records.verdict import Severity, Status

PROGRAM = """// arrays: x in float32 N; out out float32 N
// N: 1000
#include <cstdlib>
__device__ float kept;
__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    const size_t bytes = n * sizeof(float);
    cudaStream_t blocking, apart;
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEvent_t event;
    cudaEventCreate(&event);
    float *scratch, *other;
    cudaMalloc(&scratch, bytes);
    cudaMalloc(&other, bytes);
    BODY
    cudaDeviceSynchronize();
    cudaEventDestroy(event);
    cudaFree(scratch);
    cudaFree(other);
    cudaStreamDestroy(blocking);
    cudaStreamDestroy(apart);
}
"""


def program(body):
    """With `TWICE(from, to, stream)` written out."""
    launch = r"twice<<<(n + 127) / 128, 128, 0, \3>>>(\1, \2, n)"
    return PROGRAM.replace("BODY", re.sub(r"TWICE\((\w+), (\w+), (\w+)\)", launch, body))


def errors(bench, source, residency=Residency.DEVICE):
    """The kinds of error that a checked run finds."""
    built = bench.build(source, checked=True, residency=residency)
    assert isinstance(built, EmulatedProgram), built
    outcome = bench.run(source, built)
    assert outcome.completed and outcome.run.completed.ok, outcome.run
    return {finding.kind for finding in outcome.run.findings if finding.severity is Severity.ERROR}


@pytest.mark.parametrize(
    "between",
    [
        "cudaStreamSynchronize(apart);",
        "cudaDeviceSynchronize();",
        "cudaEventRecord(event, apart); cudaEventSynchronize(event);",
        "cudaEventRecord(event, apart); cudaStreamWaitEvent(blocking, event, 0);",
        "cudaEventRecord(event, apart); cudaStreamWaitEvent(0, event, 0);",
        "float* more; cudaMalloc(&more, 4); cudaFree(more);",
        "void* pinned; cudaMallocHost(&pinned, 4); cudaFreeHost(pinned);",
        "float first; cudaMemcpyAsync(&first, scratch, 4, cudaMemcpyDeviceToHost, apart);",
        "cudaLaunchHostFunc(apart, [](void*) {}, nullptr); cudaStreamSynchronize(apart);",
    ],
)
def test_what_orders_a_stream_before_a_blocking_one(bench, between):
    body = f"TWICE(x, scratch, apart); {between} TWICE(scratch, out, blocking);"
    assert errors(bench, program(body)) == set()


@pytest.mark.parametrize(
    "between",
    [
        "",
        "cudaStreamSynchronize(blocking);",
        "cudaStreamSynchronize(0);",
        "cudaStreamSynchronize(cudaStreamPerThread);",
        "cudaEventRecord(event, blocking); cudaEventSynchronize(event);",
        "cudaStreamWaitEvent(blocking, event, 0); cudaEventRecord(event, apart);",
        "cudaEventRecord(event, apart); cudaEventRecord(event, blocking); cudaStreamWaitEvent(0, event, 0);",
        "cudaEventRecord(event, apart); cudaEventDestroy(event); cudaEventCreate(&event); cudaStreamWaitEvent(0, event, 0);",
        "float* more; cudaMalloc(&more, 4);",
        "float* more; cudaMallocAsync(&more, 4, apart); cudaFreeAsync(more, apart);",
        "float* more; cudaMallocAsync(&more, 4, 0); cudaFree(more);",
        "float first; cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost);",
        "cudaMemset(other, 0, 4);",
        "cudaMemcpy(other, x, 4, cudaMemcpyDeviceToDevice);",
    ],
)
def test_what_does_not(bench, between):
    body = f"TWICE(x, scratch, apart); {between} TWICE(scratch, out, blocking);"
    assert errors(bench, program(body)) == {"race_streams"}


@pytest.mark.parametrize(
    "body",
    [
        "TWICE(x, scratch, blocking); TWICE(scratch, out, 0);",
        "TWICE(x, scratch, 0); TWICE(scratch, out, blocking);",
        "TWICE(x, scratch, 0); TWICE(scratch, out, cudaStreamPerThread);",
        "TWICE(x, scratch, 0); cudaEventRecord(event, blocking); cudaStreamWaitEvent(apart, event, 0); TWICE(scratch, out, apart);",
        "TWICE(x, scratch, blocking); cudaEventRecord(event, 0); cudaStreamWaitEvent(apart, event, 0); TWICE(scratch, out, apart);",
        "TWICE(x, scratch, blocking); cudaStreamSynchronize(0); TWICE(scratch, out, apart);",
        "cudaMemsetAsync(scratch, 0, bytes, apart); TWICE(scratch, out, apart);",
        "cudaMemcpy2DAsync(scratch, bytes, x, bytes, bytes, 1, cudaMemcpyDeviceToDevice, apart); TWICE(scratch, out, apart);",
        "TWICE(x, scratch, apart); TWICE(x, out, blocking);",
        "void* host = malloc(bytes); cudaMemcpy2D(host, bytes, x, bytes, bytes, 1, cudaMemcpyDeviceToHost);"
        "cudaMemcpyAsync(out, host, bytes, cudaMemcpyHostToDevice, apart); TWICE(x, out, apart); free(host);",
    ],
)
def test_what_is_ordered_by_itself(bench, body):
    assert errors(bench, program(body)) == set()


@pytest.mark.parametrize(
    "body",
    [
        "TWICE(x, scratch, blocking); TWICE(x, scratch, apart);",
        "TWICE(scratch, out, apart); TWICE(x, scratch, 0);",
        "cudaMemcpyAsync(out, scratch, bytes, cudaMemcpyDeviceToDevice, apart); TWICE(x, scratch, blocking);",
        "cudaMemcpyAsync(scratch, x, bytes, cudaMemcpyDeviceToDevice, apart); TWICE(scratch, out, blocking);",
        "cudaMemcpyAsync(scratch, x, bytes, cudaMemcpyDeviceToDevice, apart);"
        "cudaMemcpyAsync(out, scratch, bytes, cudaMemcpyDeviceToDevice, blocking);",
        "cudaMemcpy2DAsync(scratch, bytes, x, bytes, bytes, 1, cudaMemcpyDeviceToDevice, apart); TWICE(scratch, out, 0);",
        "cudaMemsetAsync((char*)scratch + 1, 0, 2, apart); TWICE(scratch, out, 0);",
        "TWICE(x, out, blocking); cudaMemsetAsync(out, 0, bytes, apart);",
        "cudaMemcpyToSymbolAsync(kept, x, 4, 0, cudaMemcpyDeviceToDevice, apart);"
        "cudaMemcpyFromSymbolAsync(out, kept, 4, 0, cudaMemcpyDeviceToDevice, blocking);",
    ],
)
def test_what_is_not(bench, body):
    body = f"cudaMemset(scratch, 0, bytes); cudaDeviceSynchronize(); {body}"
    assert errors(bench, program(body)) == {"race_streams"}


LATE = """// arrays: x in float32 N; out out float32 N
// N: 1000
__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    static cudaStream_t own = nullptr;
    const size_t bytes = n * sizeof(float);
    if (!own) cudaStreamCreateWithFlags(&own, FLAGS);
    float *from, *to;
    cudaMallocAsync(&from, bytes, own);
    cudaMallocAsync(&to, bytes, own);
    cudaHostRegister(out, bytes, cudaHostRegisterDefault);
    cudaMemcpyAsync(from, x, bytes, cudaMemcpyHostToDevice, own);
    twice<<<(n + 127) / 128, 128, 0, own>>>(from, to, n);
    cudaMemcpyAsync(out, to, bytes, cudaMemcpyDeviceToHost, own);
    cudaFreeAsync(from, own);
    cudaFreeAsync(to, own);
    JOIN
    cudaHostUnregister(out);
}
"""


@pytest.mark.parametrize(
    ("flags", "join", "kinds"),
    [
        ("cudaStreamNonBlocking", "", {"late_write"}),
        ("cudaStreamNonBlocking", "cudaStreamSynchronize(0);", {"late_write"}),
        ("cudaStreamNonBlocking", "cudaStreamSynchronize(own);", set()),
        ("cudaStreamDefault", "", set()),
    ],
)
def test_results_in_registered_host_memory(bench, flags, join, kinds):
    source = LATE.replace("FLAGS", flags).replace("JOIN", join)
    assert errors(bench, source, Residency.HOST) == kinds
    waits = source.replace("cudaHostRegister(out, bytes, cudaHostRegisterDefault);", "").replace(
        "cudaHostUnregister(out);", ""
    )
    assert errors(bench, waits, Residency.HOST) == set(), "a copy to pageable memory returns when it is done"


GRAPH = """// arrays: x in float32 N; out out float32 N
// N: 1000
__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    static cudaStream_t own = nullptr;
    static float* scratch = nullptr;
    if (!own) {
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaMalloc(&scratch, n * sizeof(float));
    }
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(own, cudaStreamCaptureModeGlobal);
    twice<<<(n + 127) / 128, 128, 0, own>>>(x, scratch, n);
    cudaMemcpyAsync(out, scratch, n * sizeof(float), COPY, own);
    cudaStreamEndCapture(own, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphLaunch(ready, LAUNCHED);
    JOIN
}
"""


@pytest.mark.parametrize(
    ("launched", "join", "kinds"),
    [
        ("own", "", {"late_write"}),
        ("own", "cudaStreamSynchronize(own);", set()),
        ("0", "", set()),
    ],
)
def test_results_of_a_graph(bench, launched, join, kinds):
    source = GRAPH.replace("LAUNCHED", launched).replace("JOIN", join)
    assert errors(bench, source.replace("COPY", "cudaMemcpyDeviceToDevice")) == kinds


def test_a_graph_is_not_waited_for_at_its_launch(bench):
    """Even where it copies to pageable memory."""
    source = GRAPH.replace(
        "twice<<<(n + 127) / 128, 128, 0, own>>>(x, scratch, n)", "cudaMemsetAsync(scratch, 0, n * sizeof(float), own)"
    )
    source = source.replace("COPY", "cudaMemcpyDeviceToHost").replace("LAUNCHED", "own")
    assert errors(bench, source.replace("JOIN", ""), Residency.HOST) == {"late_write"}
    assert errors(bench, source.replace("JOIN", "cudaStreamSynchronize(own);"), Residency.HOST) == set()


def test_a_later_call_begins_with_a_device_at_rest(bench):
    source = program("TWICE(x, out, apart); return;")
    built = bench.build(source, checked=True)
    outcome = bench.run(source, built, calls=3)
    found = [finding for finding in outcome.run.findings if finding.severity is Severity.ERROR]
    assert [(f.kind, f.status, f.line, f.kernel, f.count) for f in found] == [
        ("late_write", Status.LATE_WRITE, 7, "twice", 3)
    ]
    assert "4000 of 4000 bytes of parameter 3 by twice(); enqueued in line 19" in found[0].message
    assert "cudaStreamSynchronize()" in found[0].hint


RANDOM = """// arrays: x in int32 N; out out int32 N
// N: 128
__global__ void set(int* to) { to[threadIdx.x] = threadIdx.x; }
__global__ void use(int* from) { if (from[threadIdx.x] == -1) __trap(); }
__global__ void update(int* to) { atomicAdd(&to[threadIdx.x], 1); }
extern "C" void run(int n, const int* x, int* out) {
    static cudaStream_t streams[4];
    static cudaEvent_t events[2];
    static int* more = nullptr;
    if (!more) {
        for (int k = 1; k < 4; k++) cudaStreamCreateWithFlags(&streams[k], k == 1 ? cudaStreamDefault : cudaStreamNonBlocking);
        for (auto& event : events) cudaEventCreate(&event);
        cudaMalloc(&more, 64 * n * sizeof(int));
    }
    int *const arrays[] = {out, more}, *const copies = more + n;
    for (int* array : arrays) set<<<1, 128>>>(array);
    for (auto& event : events) cudaEventRecord(event);
    cudaDeviceSynchronize();
BODY}
"""


OPERATIONS = {
    "set": ("set<<<1, 128, 0, {stream}>>>(arrays[{array}]);", "cudaMemsetAsync(arrays[{array}], 0, 512, {stream});"),
    "use": (
        "use<<<1, 128, 0, {stream}>>>(arrays[{array}]);",
        "cudaMemcpyAsync(copies + {number} * n, arrays[{array}], 512, cudaMemcpyDeviceToDevice, {stream});",
    ),
    "update": ("update<<<1, 128, 0, {stream}>>>(arrays[{array}]);",),
}


class Model:
    """What is ordered before what, as sets of operations: stream 0 is the default stream, 1 a blocking one, 2 and 3 are not."""

    def __init__(self) -> None:
        self.past: list[set[int]] = [set() for _ in range(4)]
        self.events: list[set[int]] = [set(), set()]
        self.host: set[int] = set()
        self.done: list[tuple[str, int]] = []
        self.races = False

    def before(self, stream: int) -> set[int]:
        others = {0: (1,), 1: (0,)}.get(stream, ())
        self.past[stream] |= self.host.union(*(self.past[other] for other in others))
        return self.past[stream]

    def enqueue(self, stream: int, kind: str, array: int) -> None:
        before = self.before(stream)
        for number, (other, used) in enumerate(self.done):
            harmless = kind == other != "set"
            self.races |= used == array and not harmless and number not in before
        self.done.append((kind, array))
        before.add(len(self.done) - 1)

    def late(self) -> bool:
        """Whether a write or an update of the output is not ordered before the end of the default stream's work."""
        before = self.before(0)
        last = max((i for i, done in enumerate(self.done) if done == ("set", 0)), default=0)
        writes = [i for i, (kind, array) in enumerate(self.done) if array == 0 and kind != "use" and i >= last]
        return any(number not in before for number in writes)


def random_program(seed: int, length: int = 14) -> tuple[str, Model]:
    draw, model, lines = random.Random(seed), Model(), []
    for _ in range(length):
        stream, event, array = draw.randrange(4), draw.randrange(2), draw.randrange(2)
        kind = draw.choice(["set", "use", "use", "update", "update", "record", "record", "wait", "wait", "join"])
        if kind == "record":
            lines.append(f"cudaEventRecord(events[{event}], streams[{stream}]);")
            model.events[event] = set(model.before(stream))
        elif kind == "wait":
            lines.append(f"cudaStreamWaitEvent(streams[{stream}], events[{event}], 0);")
            model.past[stream] |= model.events[event]
        elif kind == "join":
            lines.append(f"cudaStreamSynchronize(streams[{stream}]);")
            model.host |= model.before(stream)
        else:
            lines.append(
                draw.choice(OPERATIONS[kind]).format(stream=f"streams[{stream}]", array=array, number=len(lines))
            )
            model.enqueue(stream, kind, array)
    return "".join(f"    {line}\n" for line in lines), model


def test_an_ordered_update_does_not_hide_the_write_before_it(bench):
    """The last update is ordered with no operation: with the update before it that is harmless, with the write before that it is not."""
    body = """
    cudaMemsetAsync(arrays[0], 0, 512, streams[0]);
    update<<<1, 128, 0, streams[0]>>>(arrays[0]);
    update<<<1, 128, 0, streams[2]>>>(arrays[0]);
    cudaStreamSynchronize(streams[2]);
"""
    assert errors(bench, RANDOM.replace("BODY", body)) == {"race_streams"}
    joined = body.replace(
        "update<<<1, 128, 0, streams[2]", "cudaStreamSynchronize(streams[0]);\n    update<<<1, 128, 0, streams[2]"
    )
    assert errors(bench, RANDOM.replace("BODY", joined)) == set()


def test_random_orders(bench):
    """Races and late writes are found exactly where there are some. A write that races with a late one may hide it."""
    first = random.randrange(2**31)
    print(f"seeds from {first}")
    kinds: dict[tuple[bool, bool], list[str]] = {}
    for seed in range(first, first + 400):
        body, model = random_program(seed)
        kinds.setdefault((model.races, model.late()), []).append(body)
    assert len(kinds) == 4
    for (races, late), bodies in kinds.items():
        for body in bodies[:8]:
            found = errors(bench, RANDOM.replace("BODY", body)) - ({"late_write"} if races else set())
            wanted = {"race_streams"} if races else {"late_write"} if late else set()
            assert found == wanted, body
