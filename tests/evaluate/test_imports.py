"""What compiled code takes from its surroundings is read from the object, however its source spells it."""

import random
import subprocess
from dataclasses import replace

import pytest

from regrapht import settings
from regrapht.evaluate.draft import Rejected
from regrapht.evaluate.imports import forbidden_imports, refuse_imports, undefined_symbols
from regrapht.records.task import Contract
from regrapht.records.verdict import Status

ORDINARY = """#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <vector>
void check(bool failed) { if (failed) { std::fprintf(stderr, "failed\\n"); std::exit(EXIT_FAILURE); } }
int work(int n) {
    std::vector<float> v(n);
    std::map<int, int> seen;
    std::mt19937 engine(std::random_device{}());
    std::sort(v.begin(), v.end());
    auto owned = std::make_shared<int>(n);
    std::cout << std::chrono::steady_clock::now().time_since_epoch().count();
    check(v.size() > 3);
    return ++seen[n] + *owned + int(engine());
}
"""
HIDDEN = {
    "pointer": ("quick_exit", "#include <cstdlib>\nvoid (*leave)(int) = &std::quick_exit;\n"),
    "label": ("fork", '#define P(a, b) a##b\nextern "C" int go() P(__as, m__)("fo" "rk");\nint f() { return go(); }\n'),
    "declaration": ("clone", 'extern "C" int clone(int (*)(void*), void*, int, void*);\nauto* p = &clone;\n'),
    "thread": ("_ZNSt6thread", "#include <thread>\nvoid f() { std::thread([] {}).detach(); }\n"),
    "file": ("_ZNSt14basic_ifstream", '#include <fstream>\nint f() { return std::ifstream("x").get(); }\n'),
    "variable": ("environ", 'extern "C" char** environ;\nchar** f() { return environ; }\n'),
    "checker": (
        "_ZN7runtime",
        "namespace runtime { extern int sticky_error; }\nvoid f() { runtime::sticky_error = 0; }\n",
    ),
    "loader": ("dlsym", 'extern "C" void* dlsym(void*, const char*);\nvoid* f() { return dlsym(nullptr, "x"); }\n'),
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("objects")

    def make(source: str, *options: str) -> bytes:
        (folder / "x.cpp").write_text(source)
        command = [
            settings.cxx(),
            "-std=c++20",
            "-O1",
            "-fPIC",
            *options,
            "-o",
            str(folder / "x.o"),
            str(folder / "x.cpp"),
        ]
        subprocess.run(command, check=True)
        return (folder / "x.o").read_bytes()

    return make


def test_ordinary_code_is_allowed(compiled, gemm):
    code = compiled(ORDINARY, "-c")
    assert "exit" in undefined_symbols(code)
    refuse_imports(code, gemm)


@pytest.mark.parametrize("options", [("-c",), ("-shared", "-nostdlib")], ids=["object", "shared object"])
@pytest.mark.parametrize("kind", HIDDEN)
def test_hidden_uses_are_named(compiled, gemm, kind, options):
    name, source = HIDDEN[kind]
    with pytest.raises(Rejected) as refused:
        refuse_imports(compiled(source, *options), gemm)
    assert refused.value.status is Status.POLICY_REJECTED and name in refused.value.reason


def test_a_function_of_its_own_may_have_any_name(compiled, gemm):
    refuse_imports(compiled("static int kill(int a) { return a; }\nint f(int a) { return kill(a); }\n", "-c"), gemm)


def test_what_libraries_use_is_allowed_with_them(gemm):
    with_cub = replace(gemm, contract=Contract(allow_libraries=("cub",)))
    assert forbidden_imports(["dlsym@GLIBC_2.34", "getenv"], gemm) == ["dlsym", "getenv"]
    assert forbidden_imports(["dlsym@GLIBC_2.34", "getenv", "fork"], with_cub) == ["fork"]


def test_what_no_compiler_writes_is_refused(compiled, gemm):
    """A candidate's own code may have put other bytes in the object's place: each is refused or read, never an error of the judge."""
    whole = compiled(HIDDEN["declaration"][1], "-c")
    for damaged in (b"", b"\x7fELF", whole[:64], b"\x7fELF\x02\x01" + bytes(200), whole[: len(whole) // 2]):
        with pytest.raises(Rejected):
            refuse_imports(damaged, gemm)
    seed = random.randrange(2**32)
    print("seed", seed)
    rng = random.Random(seed)
    for _ in range(2000):
        bytes_ = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            bytes_[rng.randrange(len(bytes_))] = rng.randrange(256)
        try:
            undefined_symbols(bytes(bytes_))
        except Rejected as refused:
            assert refused.status is Status.POLICY_REJECTED
