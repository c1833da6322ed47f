"""The orders of threads that a request asks for, requests that make no sense, and the words for each way to end."""

import pytest

from regrapht.emulate.emulator import Schedule
from regrapht.emulate.program import build_whole, run_whole
from regrapht.errors import ConfigError
from regrapht.records.verdict import Severity, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits
from regrapht.session.emulate import OWN_ARRAYS, EmulateRequest, emulate_file, ending_of_program


def orders(tmp_path, **fields):
    return EmulateRequest(file=tmp_path / "a.cu", **fields).orders


def test_orders(tmp_path):
    ends = ((Schedule.FORWARD, 0), (Schedule.REVERSE, 0))
    assert orders(tmp_path) == (*ends, *((Schedule.RANDOM, seed) for seed in range(3)))
    assert orders(tmp_path, checked=False) == ends[:1], "a plain run tells nothing by its order"
    assert orders(tmp_path, schedules=(Schedule.RANDOM, Schedule.RANDOM), first_seed=4, seeds=2) == (
        (Schedule.RANDOM, 4),
        (Schedule.RANDOM, 5),
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"task": True, "arguments": ("1",)}, "are for whole programs"),
        ({"include": True}, "there is no such folder"),
        ({"schedules": (Schedule.RANDOM,), "seeds": 0}, "leaves --schedule random without a run"),
    ],
)
def test_what_makes_no_sense_is_said(tmp_path, fields, said):
    if "task" in fields:
        fields = {**fields, "task": tmp_path}
    if "include" in fields:
        fields = {"include": (tmp_path / "nowhere",)}
    with pytest.raises(ConfigError, match=said):
        emulate_file(EmulateRequest(file=tmp_path / "a.cu", **fields))


ENDS = """#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>
__global__ void store(int* p, int n) { for (int i = 0; i < n; ++i) p[i] = 1; }
__global__ void share(int* p, int n) { p[0] = 7 / n; }
__global__ void endless(volatile int* p) { while (p[0] == 0) p[1] = p[1] + 1; }
int deep(int n) { volatile char room[4096]; room[n % 4096] = 1; return n ? deep(n - 1) + room[1] : 0; }
int main(int count, char** words) {
    const char* how = words[1];
    int* device;
    cudaMalloc(&device, 64);
    cudaMemset(device, 0, 64);
    if (!strcmp(how, "nowhere")) *(volatile int*)16 = 1;
    if (!strcmp(how, "zero")) { volatile int n = 0; printf("%d", 7 / n); }
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "throw")) throw std::runtime_error("no");
    if (!strcmp(how, "trap")) __builtin_trap();
    if (!strcmp(how, "deep")) printf("%d", deep(1 << 20));
    if (!strcmp(how, "raise")) raise(SIGSEGV);
    if (!strcmp(how, "kill")) raise(SIGKILL);
    if (!strcmp(how, "exit")) return 3;
    if (!strcmp(how, "device zero")) share<<<1, 1>>>(device, count - 2);
    if (!strcmp(how, "device nowhere")) store<<<1, 1>>>((int*)0x7000000000, 1);
    if (!strcmp(how, "device null")) store<<<1, 1>>>(nullptr, 1);
    if (!strcmp(how, "beyond")) store<<<1, 1>>>(device, 17);
    if (!strcmp(how, "memory")) for (std::vector<char*> all;;) { all.push_back((char*)malloc(1 << 24)); memset(all.back(), 1, 1 << 24); }
    if (!strcmp(how, "endless")) endless<<<1, 1>>>(device);
    if (!strcmp(how, "flood")) for (;;) puts("and so on and so on and so on and so on and so on and so on and so on");
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""
ENDINGS = {
    "nowhere": ({"crash"}, "crashed with SIGSEGV"),
    "zero": ({"divided_by_zero"}, "crashed with SIGFPE"),
    "abort": ({"aborted"}, "crashed with SIGABRT"),
    "throw": ({"aborted"}, "crashed with SIGABRT"),
    "trap": ({"illegal_instruction"}, "crashed with SIGILL"),
    "deep": ({"stack_overflow"}, "crashed with SIGSEGV"),
    "raise": ({"crash"}, "crashed with SIGSEGV"),
    "kill": (set(), "crashed with SIGKILL"),
    "exit": (set(), "ended with exit status 3"),
    "device zero": ({"divided_by_zero"}, "crashed with SIGFPE"),
    "device nowhere": ({"global_oob"}, "ended with exit status 1"),
    "device null": ({"null_access"}, "ended with exit status 1"),
    "beyond": ({"global_oob"}, "ended with exit status 1"),
    "memory": (set(), "used more memory than it may: more than 256 MiB"),
    "endless": ({"timeout"}, "did not end within 3 s"),
    "flood": (set(), "printed more than it may"),
    "nothing": (set(), "ended"),
}


def test_each_way_to_end_has_its_own_words(tmp_path):
    """In a checked build, of one program: what the findings say, and how the run is said to have ended."""
    sandbox = choose_sandbox()
    built = build_whole(ENDS, tmp_path / "ends.cu", sandbox=sandbox, checked=True)
    limits = Limits(wall_s=3, memory_bytes=2**28)
    found = {}
    for how in ENDINGS:
        done = run_whole(built, [how], sandbox=sandbox, limits=limits)
        kinds = {finding.kind for finding in done.findings if finding.severity is Severity.ERROR}
        found[how] = (kinds, ending_of_program(done, limits.wall_s))
        told = [finding.message for finding in done.findings if finding.kind not in ("global_oob", "null_access")]
        named = found[how][1].removeprefix("crashed with ")
        assert not told or named.startswith("did not") or any(named in message for message in told), (how, told)
    assert found == ENDINGS


def test_a_limit_and_a_crash_are_told_apart(tmp_path):
    """The checked run needs more memory than it may; the one that looks at the program's own arrays alone crashes."""
    text = """#include <cuda_runtime.h>
__global__ void pick(const unsigned char* table, long at, unsigned char* out) { out[0] = table[at]; }
int main() {
    const long bytes = 96L << 20;
    unsigned char *table, *out, got[4];
    cudaMalloc(&table, bytes);
    cudaMalloc(&out, 4);
    cudaMemset(table, 1, bytes);
    pick<<<1, 1>>>(table, -(1L << 46), out);
    cudaMemcpy(got, out, 4, cudaMemcpyDeviceToHost);
    return got[0];
}
"""
    (tmp_path / "a.cu").write_text(text)
    said = emulate_file(
        EmulateRequest(file=tmp_path / "a.cu", schedules=(Schedule.FORWARD,), memory_bytes=160 * 2**20, allow_root=True)
    )
    assert said.status is Status.CRASHED and "SIGSEGV" in said.reason, said.reason
    assert "more than 160 MiB" in said.reason and "--memory GIB gives it more" in said.reason, said.reason
    assert [(run.schedule, run.ending) for run in said.runs] == [
        ("forward", "used more memory than it may: more than 160 MiB"),
        (OWN_ARRAYS, "crashed with SIGSEGV"),
    ]
