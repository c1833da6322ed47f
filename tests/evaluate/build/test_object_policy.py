"""What compiled code takes from its surroundings, and what a built object exports, needs and runs when it is loaded."""

import random
import subprocess
from dataclasses import replace

import pytest

from regrapht import settings
from regrapht.evaluate.build.imports import forbidden_imports
from regrapht.evaluate.build.object_policy import (
    LISTINGS,
    LoadCode,
    audit,
    listing_script,
    listings_of,
    load_code,
    refuse_definitions,
    refuse_imports,
    undefined_symbols,
)
from regrapht.evaluate.judgement.rejected import Rejected
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
    "file": ("basic_f", '#include <fstream>\nint f() { return std::ifstream("x").get(); }\n'),
    "variable": ("environ", 'extern "C" char** environ;\nchar** f() { return environ; }\n'),
    "checker": (
        "_ZN7runtime",
        "namespace runtime { extern int sticky_error; }\nvoid f() { runtime::sticky_error = 0; }\n",
    ),
    "file's buffer": (
        "basic_filebuf",
        '#include <fstream>\nint f() { return std::filebuf().open("x", std::ios::in) != nullptr; }\n',
    ),
    "weak": ("vfork", 'extern "C" __attribute__((weak)) int vfork();\nint f() { return vfork ? vfork() : 0; }\n'),
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


def test_what_is_a_librarys_is_not_defined(compiled):
    library = {"cudaDeviceSynchronize", "cudaMalloc"}
    refuse_definitions(
        compiled('extern "C" int cudaMalloc(void**, long); int f() { return cudaMalloc(0, 0); }', "-c"), library
    )
    for how in ("", '__attribute__((weak, visibility("hidden"))) ', "static __attribute__((used)) "):
        with pytest.raises(Rejected, match="defines cudaDeviceSynchronize"):
            refuse_definitions(
                compiled(f'extern "C" {{ {how}int cudaDeviceSynchronize() {{ return 0; }} }}', "-c"), library
            )


@pytest.mark.parametrize("options", [("-c",), ("-shared", "-nostdlib")], ids=["object", "shared object"])
@pytest.mark.parametrize("kind", HIDDEN)
def test_hidden_uses_are_named(compiled, gemm, kind, options):
    name, source = HIDDEN[kind]
    with pytest.raises(Rejected) as refused:
        refuse_imports(compiled(source, *options), gemm)
    assert refused.value.status is Status.POLICY_REJECTED and name in refused.value.reason


# fmt: off
UNUSUAL_WAYS = (
    "aio_read", "aio_write", "lio_listio", "mq_notify", "mq_open", "getaddrinfo", "getaddrinfo_a", "wordexp",
    "glob", "nftw", "ftw", "fts_open", "iconv_open", "catopen", "setlocale", "newlocale", "getpwnam",
    "gethostbyname", "posix_openpt", "forkpty", "pthread_atfork", "pthread_sigqueue", "sigqueue", "sigwait",
    "eventfd", "timerfd_create", "inotify_init", "io_setup", "shmat", "semop", "msgsnd", "memfd_secret", "vmsplice",
    "userfaultfd", "bpf", "perf_event_open", "seccomp", "sched_setaffinity", "sched_setscheduler", "setpriority",
    "nice", "getcontext", "makecontext", "_setjmp", "__sigsetjmp", "raise", "abort_handler", "tmpnam", "mkdtemp",
    "fread", "fgets", "getline", "fscanf", "ungetc", "fseek", "rewind_all", "backtrace", "dladdr", "__libc_dlsym",
    "__libc_fork", "_IO_file_open", "__open64_2", "__read_chk", "__libc_system", "gnu_get_libc_version",
    "getauxval", "secure_getenv_s", "setuid", "chroot", "umask", "ptsname", "getpid", "getppid", "gethostname",
    "uname", "sysinfo", "times", "getrusage", "isatty", "ttyname",
)
# fmt: on


@pytest.mark.parametrize("name", UNUSUAL_WAYS)
def test_what_is_not_on_the_list_is_refused(gemm, name):
    assert forbidden_imports([name, f"{name}@GLIBC_2.34"], gemm) == [name]


def test_what_computes_and_prints_is_on_it(gemm):
    # fmt: off
    names = (
        "sinf", "cosl", "__sinf_finite", "powf128", "exp10", "lgammaf_r", "__powidf2", "__udivti3", "__mulsc3",
        "__extendhfsf2", "__truncsfhf2", "__memcpy_chk", "__printf_chk", "__isoc23_strtol", "__isoc99_sscanf",
        "__cxa_throw", "__cxa_thread_atexit", "_Unwind_Resume", "__gxx_personality_v0", "__tsan_read4",
        "__sanitizer_cov_trace_pc", "__asan_load4_noabort", "cudaMalloc", "__cudaRegisterFatBinary", "cuInit",
        "blockIdx", "qsort", "memmove", "puts", "stdout", "clock_gettime", "_ZSt4cout",
        "_ZNSt13runtime_errorC1EPKc", "_ZNSo5flushEv", "_ZNSt6chrono3_V212steady_clock3nowEv", "regrapht_call",
        "atexit",
    )
    # fmt: on
    assert forbidden_imports(names, gemm) == []


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
