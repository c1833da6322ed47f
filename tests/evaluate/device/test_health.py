"""S7: when a device is taken out of use, who may use it then, and whose fault a failing harness is."""

import subprocess
import sys

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.build.compile import build
from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.evaluate.device.gpu import gpu_environment, probe
from regrapht.evaluate.device.health import DeviceHealth, HarnessFailure, require_harness, run_with_one_repeat
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Completed, Limits

UUID = "00112233445566778899aabbccddeeff"


class Probe:
    """Works or not, look by look; after the last it stays as it is."""

    def __init__(self, *works: bool) -> None:
        self.works, self.looks = list(works), 0

    def __call__(self) -> None:
        good = self.works[min(self.looks, len(self.works) - 1)]
        self.looks += 1
        if not good:
            raise EvaluatorUnavailable("the GPU cannot be used: out of memory")


def ended(exit_code: int, stderr: str = "") -> Completed:
    return Completed(exit_code=exit_code, signal=None, stopped=None, stdout="", stderr=stderr, files={}, wall_s=0.1)


@pytest.fixture
def health(tmp_path, monkeypatch):
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path))
    pauses: list[float] = []

    def make(*works: bool) -> DeviceHealth:
        made = DeviceHealth(UUID, "NVIDIA H200", Probe(*works), pause=pauses.append)
        made.pauses, made.looks = pauses, made._probe
        return made

    return make


def test_a_device_that_works_stays_in_use(health):
    one = health(True)
    one.check("a crash")
    one.require_good()
    assert one.mark() is None and one.looks.looks == 1 and one.pauses == []


def test_one_failure_is_looked_at_again(health):
    one = health(False, True)
    one.check("a crash")
    assert one.mark() is None and one.looks.looks == 2 and one.pauses == [1.0]


def test_two_failures_in_a_row_take_it_out_of_use_for_everyone(health, tmp_path):
    with pytest.raises(EvaluatorUnavailable):
        health(False).check("a run that CRASHED")
    another = health(True)
    with pytest.raises(EvaluatorUnavailable) as refused:
        another.require_good()
    message = str(refused.value)
    for part in ("NVIDIA H200", "since 20", "after a run that CRASHED", "out of memory", f"gpu-{UUID}.json"):
        assert part in message
    assert another.looks.looks == 0
    with pytest.raises(EvaluatorUnavailable, match="out of use"):
        another.check("anything")
    code = f"from regrapht.evaluate.device.health import DeviceHealth\nDeviceHealth({UUID!r}, 'it', lambda: None).require_good()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "EvaluatorUnavailable" in done.stderr and "out of use since" in done.stderr


def test_other_devices_are_not_touched(health):
    with pytest.raises(EvaluatorUnavailable):
        health(False).check("a crash")
    DeviceHealth("f" * 32, "another", Probe(True)).require_good()


def test_removing_the_named_file_is_enough(health, tmp_path):
    with pytest.raises(EvaluatorUnavailable):
        health(False).check("a crash")
    (tmp_path / "quarantine" / f"gpu-{UUID}.json").unlink()
    health(True).require_good()


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"since": "x"}', b"\xff\xfe"])
def test_a_damaged_mark_is_still_a_mark(health, tmp_path, damage):
    (tmp_path / "quarantine").mkdir()
    (tmp_path / "quarantine" / f"gpu-{UUID}.json").write_bytes(damage)
    with pytest.raises(EvaluatorUnavailable, match="cannot be read"):
        health(True).require_good()


def test_processes_that_mark_at_once_leave_one_whole_mark(tmp_path):
    code = f"""
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.device.health import DeviceHealth
import sys
def probe(): raise EvaluatorUnavailable("dead")
one = DeviceHealth({UUID!r}, "it", probe, pause=lambda s: None)
sys.stdin.read()
try:
    one.check("crash " + sys.argv[1] * 5000)
except EvaluatorUnavailable:
    print(one.mark().why)
"""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(i)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"REGRAPHT_CACHE": str(tmp_path), "PATH": "/usr/bin:/bin"},
        )
        for i in range(4)
    ]
    for process in started:
        process.stdin.close()
    said = {process.stdout.read() for process in started}
    assert [process.wait(timeout=60) for process in started] == [0] * 4
    assert len(said) == 1 and "dead" in said.pop()
    assert [path.name for path in (tmp_path / "quarantine").iterdir()] == [f"gpu-{UUID}.json"]


def test_a_uuid_is_not_a_path():
    with pytest.raises(ValueError, match="uuid"):
        DeviceHealth("../../etc/x", "it", Probe(True))


class Runs:
    """Ends as listed, run by run, as a function that uses the harness does."""

    def __init__(self, *codes: int) -> None:
        self.codes, self.count = codes, 0

    def __call__(self) -> str:
        completed = ended(self.codes[self.count], "harness: filling an array's bands: cudaErrorIllegalAddress")
        self.count += 1
        require_harness(completed)
        return f"result {self.count}"


@pytest.mark.parametrize("code", [0, 1, 3, 139])
def test_other_endings_are_not_the_harnesss(code):
    require_harness(ended(code))


@pytest.mark.parametrize("code", [70, 71])
def test_a_failing_harness_carries_its_words(code):
    with pytest.raises(HarnessFailure, match="no input"):
        require_harness(ended(code, "harness: no input"))


@pytest.mark.parametrize("code", [0, 71, 137])
def test_one_that_never_was_ready_is_nobodys_doing(health, code):
    """As where the device's memory is full of others' data. However it ended: it had no candidate yet."""
    one = health(True)

    def run():
        require_harness(ended(code, "harness: cudaSetDevice: out of memory"), was_ready=False)

    with pytest.raises(EvaluatorUnavailable, match=r"could not be made ready .*out of memory.*fewer judges"):
        run_with_one_repeat(run, one)
    assert one.looks.looks == 2 and one.mark() is None


def test_a_run_that_ends_well_is_made_once(health):
    runs, one = Runs(0), health(True)
    assert run_with_one_repeat(runs, one) == "result 1"
    assert runs.count == 1 and one.looks.looks == 0


def test_one_failure_of_the_harness_counts_against_nobody(health):
    runs, one = Runs(71, 0), health(True)
    assert run_with_one_repeat(runs, one) == "result 2"
    assert one.looks.looks == 1


@pytest.mark.parametrize("codes", [(71, 71), (70, 71)])
def test_two_on_a_device_that_works_are_the_candidates_doing(health, codes):
    runs, one = Runs(*codes), health(True)
    with pytest.raises(Rejected, match="could not go on after the candidate's call") as rejected:
        run_with_one_repeat(runs, one)
    assert rejected.value.status is Status.CRASHED and "cudaErrorIllegalAddress" in rejected.value.output
    assert runs.count == 2 and one.looks.looks == 2 and one.mark() is None


def test_a_device_that_fails_after_the_first_is_not_used_again(health):
    runs, one = Runs(71, 0), health(False)
    with pytest.raises(EvaluatorUnavailable, match="the harness failed"):
        run_with_one_repeat(runs, one)
    assert runs.count == 1 and one.mark() is not None


def test_a_device_that_fails_after_the_second_is_not_the_candidates_fault(health):
    runs, one = Runs(71, 71), health(True, False)
    with pytest.raises(EvaluatorUnavailable, match="failed twice"):
        run_with_one_repeat(runs, one)
    assert one.mark() is not None


FAULTY = """#include <cstdio>
#include <cstring>
__global__ void stray(int* p) { *p = 1; }
__global__ void endless(volatile int* p) { while (!*p) {} }
int main(int argc, char** argv) {
    int* word;
    if (cudaMalloc(&word, 4) != cudaSuccess || cudaMemset(word, 0, 4) != cudaSuccess) return 2;
    if (!std::strcmp(argv[1], "stray")) stray<<<1, 1>>>((int*)16);
    else endless<<<1, 1>>>(word);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
"""


@pytest.mark.gpu
@pytest.mark.parametrize("fault", ["stray", "endless"])
def test_a_real_device_works_again_after_a_fault(sandbox, fault, tmp_path, monkeypatch):
    nvcc = find_nvcc()
    gpu = probe(sandbox, nvcc)
    argv = (str(nvcc.path), "-w", f"-arch={gpu.architecture}", "-o", "faulty", "faulty.cu")
    built = build(sandbox, argv, {"faulty.cu": FAULTY.encode()}, output="faulty", read_only=(nvcc.root,))
    command = Command(
        argv=("./faulty", fault), files={"faulty": built.content}, environment=gpu_environment(), gpu=True
    )
    done = sandbox.run(command, Limits(wall_s=5, memory_bytes=8 * 2**30))
    assert (done.exit_code, done.stopped) == ((3, None) if fault == "stray" else (None, "timeout")), done
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path))
    tmp_path.chmod(0o755)
    one = DeviceHealth(gpu.uuid, gpu.name, lambda: probe(sandbox, nvcc))
    one.check(f"a kernel that was {fault}")
    assert one.mark() is None


def test_a_rejection_of_the_run_itself_passes_through(health):
    def run() -> None:
        raise Rejected(Status.WRONG_VALUE, "wrong")

    with pytest.raises(Rejected, match="wrong"):
        run_with_one_repeat(run, health(True))
