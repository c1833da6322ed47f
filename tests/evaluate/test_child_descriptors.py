"""A2 from inside each harness that runs without a GPU: what it loads finds exactly the five descriptors that it is handed.

The objects here are built past the policy and the audit, as code would be that had fooled both.
"""

import os
import struct
import subprocess
from dataclasses import replace

import pytest

from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.build.compile import cpu_harness
from regrapht.sandbox.sandbox import Command, Limits
from regrapht.sandbox.wire import CallInput, Exchange

OBJECT = """#include <dirent.h>
#include <cstdlib>
extern "C" void regrapht_call(void* const* a) {
    int *found = (int*)a[1], count = 0;
    DIR* folder = opendir("/proc/self/fd");
    while (dirent* entry = readdir(folder))
        if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder) && count < 64) found[count++] = std::atoi(entry->d_name);
    closedir(folder);
}
"""
LIMITS = Limits(wall_s=60, memory_bytes=2**30)


@pytest.fixture(scope="module")
def task(build):
    args = (build.size("n"), build.array("found", "n", "out", dtype="int32"))
    source = "void open_files(int n, int* found) { for (int i = 0; i < n; ++i) found[i] = -1; }"
    return build.task("open_files", source, args, ({"n": 64},), exact=True)


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> bytes:
    folder = tmp_path_factory.mktemp("object")
    (folder / "a.cpp").write_text(OBJECT)
    subprocess.run(["g++", "-shared", "-fPIC", "-O1", "a.cpp", "-o", "a.so"], cwd=folder, check=True)
    return (folder / "a.so").read_bytes()


@pytest.fixture
def exchange(task):
    """One call with room for 64 numbers, poisoned with -1, while our own parent left a descriptor open for its children."""
    call = CallInput(
        values={"n": struct.pack("<i", 64)},
        arrays={},
        array_bytes={"found": 256},
        wanted=frozenset({"found"}),
        poison=0xFF,
    )
    leaked = os.dup(0)
    os.set_inheritable(leaked, True)
    with Exchange(task.parameters, [call]) as made:
        yield made
    os.close(leaked)


def found(exchange: Exchange) -> list[int]:
    return sorted(number for number in struct.unpack("<64i", exchange.array(0, "found")) if number >= 0)


@pytest.mark.parametrize("checked", [True, False])
def test_in_the_emulators_harness(task, library, exchange, sandbox, emulated, checked):
    emulator = Emulator(sandbox)
    kernel = (
        '__global__ void k(int* f) { f[0] = 1; }\nextern "C" void open_files(int n, int* found) { k<<<1, 1>>>(found); }'
    )
    program = replace(emulator.build(kernel, task, checked=checked), library=library)
    run = emulator.run(program, exchange, limits=LIMITS, sizes=[{"n": 64}])
    assert run.completed.ok, run.completed.stderr
    assert found(exchange) == [0, 1, 2, 3, 4]


def test_in_the_references_harness(library, exchange, sandbox):
    files = {"harness": cpu_harness(sandbox), "reference.so": library}
    command = Command(argv=("./harness", "./reference.so", "left"), files=files, descriptors=exchange.descriptors)
    done = sandbox.run(command, LIMITS)
    assert done.ok, done.stderr
    assert found(exchange) == [0, 1, 2, 3, 4]
