"""Reading a GPU's state, against a library made here with the symbols of NVIDIA's; the real one is asked on a machine with a GPU."""

import re
import subprocess
import time

import pytest

from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.evaluate.device.gpu import probe
from regrapht.evaluate.device.nvml import nvml_uuid, open_nvml

UUID = "00112233445566778899aabbccddeeff"
FAKE = r"""
#include <cstring>
extern "C" {
struct Info { unsigned pid; unsigned long long memory; unsigned gpu, compute; };
static int open_count = 0;
static char device;
int nvmlInit_v2() { ++open_count; return INIT; }
int nvmlShutdown() { --open_count; return 0; }
int opened() { return open_count; }
int nvmlDeviceGetHandleByUUID(const char* uuid, void** out) {
    if (std::strcmp(uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff")) return 6;
    *out = &device;
    return 0;
}
int nvmlDeviceGetClockInfo(void* d, int type, unsigned* mhz) {
    if (d != &device) return 2;
    *mhz = type == 1 ? 1755 : type == 2 ? 2619 : 7;
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) { *mhz = type == 1 ? 1980 : 2619; return 0; }
int nvmlDeviceGetDefaultApplicationsClock(void*, int type, unsigned* mhz) { if (type == 2) return 3; *mhz = 1980; return 0; }
#ifndef OLD
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* mask) { *mask = MASK; return 0; }
#else
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* mask) { *mask = 0x40; return 0; }
#endif
int nvmlDeviceGetTemperature(void*, int sensor, unsigned* c) { *c = 61 + 100 * sensor; return 0; }
int nvmlDeviceGetPowerUsage(void*, unsigned* mw) { *mw = 312500; return 0; }
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned*) { return 4; }
#ifndef OLD
int nvmlDeviceGetEccMode(void*, unsigned* now, unsigned* pending) { *now = 1; *pending = 0; return 0; }
#endif
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, Info* infos) {
    const unsigned have = PROCESSES, room = *count;
    *count = have;
    if (room < have) return 7;
    for (unsigned i = 0; i < have; ++i) infos[i] = {5000 - i, 1ull << 33, 0xFFFFFFFF, 0xFFFFFFFF};
    return 0;
}
}
"""


@pytest.fixture(scope="module")
def fake(tmp_path_factory):
    """Build a management library and return its path."""

    def build(init: int = 0, mask: int = 0x25, processes: int = 2, old: bool = False) -> str:
        folder = tmp_path_factory.mktemp("nvml")
        (folder / "fake.cpp").write_text(FAKE)
        defines = [f"-DINIT={init}", f"-DMASK={mask}", f"-DPROCESSES={processes}", *(["-DOLD"] if old else [])]
        command = ["g++", "-shared", "-fPIC", *defines, "fake.cpp", "-o", "libfake.so"]
        subprocess.run(command, cwd=folder, check=True)
        return str(folder / "libfake.so")

    return build


def test_the_state_is_read_field_by_field(fake):
    with open_nvml(UUID, library=fake()) as nvml:
        state = nvml.state()
    assert nvml.uuid == "GPU-00112233-4455-6677-8899-aabbccddeeff"
    assert (state.sm_mhz, state.memory_mhz, state.default_sm_mhz) == (1755, 2619, 1980)
    assert (state.max_sm_mhz, state.max_memory_mhz) == (1980, 2619)
    assert state.reasons == {"idle", "sw_power_cap", "sw_thermal"}
    assert (state.temperature_c, state.power_w, state.ecc) == (61, 312.5, True)
    assert state.compute_pids == (4999, 5000)


def test_what_cannot_be_read_is_none_and_says_so(fake):
    with open_nvml(UUID, library=fake()) as nvml:
        state = nvml.state()
    assert state.default_memory_mhz is None and state.power_cap_w is None
    assert state.missing == {
        "default_memory_mhz": "nvmlDeviceGetDefaultApplicationsClock: not supported",
        "power_cap_w": "nvmlDeviceGetEnforcedPowerLimit: no permission",
    }


def test_an_older_driver_has_other_names_and_fewer_functions(fake):
    with open_nvml(UUID, library=fake(old=True)) as nvml:
        state = nvml.state()
    assert state.reasons == {"hw_thermal"}
    assert state.ecc is None and state.missing["ecc"] == "nvmlDeviceGetEccMode: function not found"


def test_a_reason_that_we_do_not_know_is_kept(fake):
    with open_nvml(UUID, library=fake(mask=0x8 | 0x4000)) as nvml:
        assert nvml.state().reasons == {"hw_slowdown", "unknown_0x4000"}


@pytest.mark.parametrize("processes", [0, 1, 16, 17, 300])
def test_any_number_of_processes(fake, processes):
    with open_nvml(UUID, library=fake(processes=processes)) as nvml:
        assert nvml.state().compute_pids == tuple(range(5001 - processes, 5001))


def test_without_library_or_device_there_is_none(fake, tmp_path):
    assert open_nvml(UUID, library=str(tmp_path / "no-such-library.so")) is None
    assert open_nvml(UUID, library="libc.so.6") is None
    assert open_nvml(UUID, library=fake(init=9)) is None
    assert open_nvml("f" * 32, library=fake()) is None


def test_the_library_is_let_go_of(fake):
    import ctypes

    path = fake()
    opened = ctypes.CDLL(path).opened
    assert open_nvml("f" * 32, library=path) is None and opened() == 0
    nvml = open_nvml(UUID, library=path)
    assert opened() == 1
    nvml.close()
    nvml.close()
    assert opened() == 0
    with pytest.raises(ValueError, match="closed"):
        nvml.state()


def test_the_uuid_of_cuda_becomes_that_of_the_driver():
    assert nvml_uuid(UUID) == nvml_uuid(nvml_uuid(UUID)) == "00112233-4455-6677-8899-aabbccddeeff"
    for bad in ("", "GPU-" + UUID, UUID[:-1], UUID[:-1] + "g"):
        with pytest.raises(ValueError, match="32 hex"):
            nvml_uuid(bad)


@pytest.mark.gpu
def test_the_real_library_knows_the_device_that_cuda_uses(sandbox):
    gpu = probe(sandbox, find_nvcc())
    nvml = open_nvml(gpu.uuid)
    assert nvml is not None, "no management library, or it does not know the device"
    with nvml:
        begun = time.perf_counter()
        state = nvml.state()
        took_ms = 1e3 * (time.perf_counter() - begun)
    print(f"{state} in {took_ms:.2f} ms")
    assert state.sm_mhz and state.memory_mhz and state.max_sm_mhz and state.max_sm_mhz <= 1.01 * gpu.clock_mhz
    assert state.reasons is not None and not [reason for reason in state.reasons if re.match("unknown", reason)]
    assert state.temperature_c is None or 0 < state.temperature_c < 120
    assert set(state.missing) == {name for name in state.__slots__ if getattr(state, name) is None}
