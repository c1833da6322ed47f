"""A5, on real shared objects: what each tries, and what is made of it."""

import subprocess
from dataclasses import replace

import pytest

from regrapht.evaluate.draft import Rejected
from regrapht.evaluate.object_audit import LISTINGS, LoadCode, audit, listing_script, listings_of, load_code
from regrapht.records.verdict import Status

STUB = '\nextern "C" __attribute__((visibility("default"))) int regrapht_call(void* const*) { return 0; }\n'
FLAGS = ("-std=c++17", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,relro,-z,now,-z,defs")


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """The listings of an object built with g++ from a source and the call stub."""

    def build(source: str, *flags: str, stub: str = STUB) -> dict[str, str]:
        folder = tmp_path_factory.mktemp("object")
        (folder / "a.cpp").write_text(source + stub)
        subprocess.run(["g++", *FLAGS, "a.cpp", "-o", "a.so", *flags], cwd=folder, check=True)
        subprocess.run(["sh", "-c", listing_script("a.so")], cwd=folder, check=True)
        return listings_of({name: (folder / name).read_bytes() for name in LISTINGS})

    return build


@pytest.fixture(scope="module")
def ordinary(listed):
    return load_code(listed(""))


def test_an_ordinary_object(listed, ordinary, gemm):
    assert ordinary.entries == 1 and 0 < ordinary.init_bytes < 64
    source = "#include <cmath>\n#include <vector>\n#include <algorithm>\nstatic float* scratch; float f(float x) { return sinf(x); }\n"
    source += "int g(std::vector<int>& v) { std::sort(v.begin(), v.end()); return v[0]; }\n"
    assert audit(listed(source), gemm, ordinary=ordinary) == ()


def test_instances_of_templates_may_be_weak(listed, ordinary, gemm):
    source = "#include <string>\ntemplate class std::basic_string<char16_t>;\nstd::string* f() { return new std::string(100, 'x'); }"
    listings = listed(source)
    assert " W _ZNSt" in listings["symbols"]
    assert audit(listings, gemm, ordinary=ordinary) == ()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            'extern "C" __attribute__((visibility("default"))) int clock_gettime(int, void*) { return 0; }',
            "exports clock_gettime",
        ),
        (
            'extern "C" __attribute__((weak, visibility("default"))) int cudaEventElapsedTime(float*, void*, void*) { return 0; }',
            "exports cudaEventElapsedTime",
        ),
        (
            "#include <new>\n#include <cstdlib>\nvoid* operator new(std::size_t n) { return std::malloc(n); }",
            "exports _Znwm",
        ),
        ('extern "C" { __attribute__((visibility("default"))) int errors; }', "exports errors"),
        (
            'extern "C" { int one() { return 1; } static int (*pick())() { return one; } int chosen() __attribute__((ifunc("pick"))); }\n'
            "int use() { return chosen(); }",
            "ifunc",
        ),
        (
            'extern "C" { int one() { return 1; } static int (*pick())() { return one; }\n'
            '__attribute__((visibility("default"))) int time(long*) __attribute__((ifunc("pick"))); }',
            "exports time",
        ),
    ],
    ids=["clock", "weak", "new", "data", "hidden ifunc", "exported ifunc"],
)
def test_what_interposes_is_refused(listed, ordinary, gemm, source, words):
    with pytest.raises(Rejected, match=words) as rejected:
        audit(listed(source), gemm, ordinary=ordinary)
    assert rejected.value.status is Status.POLICY_REJECTED


@pytest.mark.parametrize(
    "stub",
    [
        "",
        '\nextern "C" __attribute__((visibility("default"))) int (*regrapht_call)(void* const*) = nullptr;\n',
        '\nextern "C" __attribute__((weak, visibility("default"))) int regrapht_call(void* const*) { return 0; }\n',
    ],
    ids=["none", "data", "weak"],
)
def test_the_call_stub_must_be_there_and_a_function(listed, ordinary, gemm, stub):
    with pytest.raises(Rejected, match=r"regrapht_call|call stub"):
        audit(listed("", stub=stub), gemm, ordinary=ordinary)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("-Wl,-rpath,/tmp,--disable-new-dtags",), "RPATH"),
        (("-Wl,-rpath,/tmp,--enable-new-dtags",), "RUNPATH"),
        (("-Wl,--audit=/tmp/x.so",), "AUDIT"),
        (("-Wl,--depaudit=/tmp/x.so",), "AUDIT"),
        (("-Wl,-F,libc.so.6",), "FILTER"),
        (("-Wl,-f,libc.so.6",), "AUXILIARY"),
        (("-Wl,--no-as-needed", "-lresolv"), "needs libresolv"),
    ],
)
def test_what_is_asked_of_the_loader(listed, ordinary, gemm, flags, words):
    with pytest.raises(Rejected, match=words) as rejected:
        audit(listed("", *flags), gemm, ordinary=ordinary)
    assert rejected.value.status is Status.POLICY_REJECTED


NEEDED = (
    " 0x0000000000000001 (NEEDED)             Shared library: [{}]\n 0x0000000000000005 (STRTAB)             0x3f0\n"
)


def with_needed(listings: dict[str, str], name: str) -> dict[str, str]:
    return {**listings, "dynamic": NEEDED.format(name)}


@pytest.mark.parametrize(
    "name", ["libc.so.6", "libm.so.6", "libstdc++.so.6", "libcudart.so.13", "ld-linux-x86-64.so.2"]
)
def test_libraries_of_the_language_are_allowed(listed, ordinary, gemm, name):
    audit(with_needed(listed(""), name), gemm, ordinary=ordinary)


@pytest.mark.parametrize(
    "name",
    [
        "libcublas.so.13",
        "libc.so.6/../x.so",
        "/tmp/libc.so.6",
        "libc.so.6.evil",
        "xlibc.so.6",
        "libc.so.6] [x",
        "libcuda.so.1",
    ],
)
def test_other_libraries_are_not(listed, ordinary, gemm, name):
    with pytest.raises(Rejected, match="needs"):
        audit(with_needed(listed(""), name), gemm, ordinary=ordinary)


def test_a_library_that_the_task_allows(listed, ordinary, gemm):
    task = replace(gemm, contract=replace(gemm.contract, allow_libraries=("cublas",)))
    for name in ("libcublas.so.13", "libcublasLt.so.13"):
        audit(with_needed(listed(""), name), task, ordinary=ordinary)
    with pytest.raises(Rejected, match="libcufft"):
        audit(with_needed(listed(""), "libcufft.so.12"), task, ordinary=ordinary)
    with pytest.raises(Rejected, match="libcublas"):  # of headers alone, and the start of another's name
        headers = replace(gemm, contract=replace(gemm.contract, allow_libraries=("cub",)))
        audit(with_needed(listed(""), "libcublas.so.13"), headers, ordinary=ordinary)
    with pytest.raises(Rejected, match="evil"):
        audit(with_needed(listed(""), "libevil-cublas.so"), task, ordinary=ordinary)


@pytest.mark.parametrize(
    "source",
    [
        '#include <cstdlib>\n__attribute__((constructor)) static void early() { setenv("A", "b", 1); }',
        '#include <cstdlib>\nstruct S { S() { setenv("A", "b", 1); } }; static S s;',
        'extern "C" void early() {}\nasm(".section .init,\\"ax\\",@progbits\\n call early\\n .text");',
        'static void early() {}\n__attribute__((section(".init_array"), used)) static void (*entry)() = early;',
        "#include <iostream>\nvoid f() { std::cerr << 1; }",
    ],
    ids=["constructor", "static object", "init section", "by hand", "iostream"],
)
def test_code_that_runs_at_load_is_a_label(listed, ordinary, gemm, source):
    assert audit(listed(source), gemm, ordinary=ordinary) == ("runs_code_at_load",)


def test_an_unreadable_object_is_refused(gemm):
    with pytest.raises(Rejected, match="call stub"):
        audit(dict.fromkeys(LISTINGS, ""), gemm, ordinary=LoadCode(entries=0, init_bytes=0))
    nothing = dict.fromkeys(LISTINGS, "") | {"symbols": "0000000000001100 T regrapht_call\n"}
    with pytest.raises(Rejected, match="no table"):
        audit(nothing, gemm, ordinary=LoadCode(entries=0, init_bytes=0))
