"""`regrapht check` and what nobody sane hands it: the documented exit code and one line that names what decided, never a traceback.

A row is a program, a task or a reference. None of them may hang: what does is ended with the test. How long each takes is for
`--durations` to say: ten seconds on a machine with nothing else to do.
"""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

TASK = """schema = 1
id = "t"
entry = "scale"
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
role = "inout"
init = { kind = "normal" }
[sizes]
check = [ { n = 5 }, { n = 300 } ]
"""
REFERENCE = "void scale(int n, float* x) { for (int i = 0; i < n; i++) x[i] = 2.0f * x[i]; }\n"
KERNEL = """
__global__ void k(int n, float* x) { int i = blockIdx.x * blockDim.x + threadIdx.x; DEVICE if (i < n) x[i] = 2.0f * x[i]; }
extern "C" void scale(int n, float* x) { HOST k<<<(n + 255) / 256, 256>>>(n, x); }
"""
GOOD = KERNEL.replace("DEVICE", "").replace("HOST", "")


@dataclass(frozen=True)
class Row:
    """One input, what of the table's words has to be told, and the exit code: 1 a verdict on the program, 2 a fault of the user's."""

    code: int
    words: str
    content: bytes | str | None = None
    """Of the candidate's file."""
    place: Callable[[Path], None] | None = None
    """Puts something else there."""


def program(words: str, text: str, *, code: int = 1) -> Row:
    return Row(code, words, text + GOOD)


def on_device(words: str, text: str) -> Row:
    return Row(1, words, KERNEL.replace("DEVICE", text).replace("HOST", ""))


def on_host(words: str, text: str, before: str = "") -> Row:
    return Row(1, words, before + KERNEL.replace("DEVICE", "").replace("HOST", text))


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def sparse(size: int) -> Callable[[Path], None]:
    def place(path: Path) -> None:
        path.write_bytes(GOOD.encode())
        os.truncate(path, size)

    return place


def numbered(count: int, each: str) -> str:
    return "".join(each.replace("@", str(i)).replace("$", str(i - 1)) for i in range(1, count + 1))


READ = {  # what is refused as it is read: nothing is built, nothing is run
    "pipe": Row(2, "it is a pipe", place=os.mkfifo),
    "folder": Row(2, "folder", place=Path.mkdir),
    "socket": Row(2, "it is a socket", place=listening),
    "loop of links": Row(2, "", place=lambda path: path.symlink_to(path)),
    "device": Row(2, "it is a device", place=lambda path: path.symlink_to("/dev/zero")),
    "null device": Row(2, "it is a device", place=lambda path: path.symlink_to("/dev/null")),
    "standard input": Row(2, "", place=lambda path: path.symlink_to("/dev/stdin")),
    "link to nowhere": Row(2, "", place=lambda path: path.symlink_to("nowhere.cu")),
    "100 MB": Row(2, "104857600 bytes", place=sparse(100 * 2**20)),
    "a terabyte": Row(2, "1099511627776 bytes", place=sparse(2**40)),
}
TEXTS = {  # what is no program, as its text shows
    "empty": Row(1, "UNPARSABLE", b""),
    "blanks": Row(1, "UNPARSABLE", b" \n\t\n" * 1000),
    "zeros": Row(1, "", b"\0" * 4000),
    "zeros among text": Row(1, "", GOOD.encode().replace(b"int i", b"int \0i")),
    "utf-16": Row(1, "UTF-8", GOOD.encode("utf-16")),
    "utf-16 without a mark": Row(1, "", GOOD.encode("utf-16-le")),
    "latin-1": Row(1, "UTF-8", b"// gr\xf6\xdfe\n" + GOOD.encode()),
    "half a character": Row(1, "UTF-8", GOOD.encode() + b"// \xe2\x82"),
    "a program for machines": Row(1, "UNPARSABLE", b"\x7fELF\x02\x01\x01" + bytes(range(128, 256)) * 64),
    "escapes of a terminal": Row(1, "control", "\x1b[2J" + GOOD),
    "parentheses": program("nested", "int q = " + "(" * 100_000 + "1" + ")" * 100_000 + ";\n"),
    "braces": program("nested", "void f() " + "{" * 100_000 + "}" * 100_000),
    "brackets without end": program("nested", "int q = " + "[" * 100_000),
    "a chain of else": program("", "void f(int n) { " + "if (n) ; else " * 18_000 + "; }\n"),
    "a name of a megabyte": program("1000", f"int {'a' * 1_000_000} = 1;\n"),
    "a line of a megabyte": program("1000", "int q = 0" + " + 1" * 250_000 + ";\n"),
    "a comment without end": Row(1, "", GOOD + "/* "),
    "a raw string without end": Row(1, "", GOOD + 'const char* s = R"x('),
    "no entry": Row(1, "does not define", GOOD.replace("scale", "other")),
    "includes a device": program("path", '#include "/dev/zero"\n'),
    "includes a pipe of the system": program("path", "#include </proc/self/fd/0>\n"),
    "includes itself by name": program("", '#include "program.cu"\n'),
    "includes itself by a macro": program("macro", "#include __FILE__\n"),
    "includes the next": program("include_next", "#include_next <cmath>\n"),
    "asks for files": program("", '#if __has_include("/etc/passwd")\n#endif\n'),
    "starts a process": on_host("fork", "fork();", "#include <unistd.h>\n".replace("unistd.h", "cstdlib")),
    "writes a file": on_host("fopen", 'fopen("planted", "w");', "#include <cstdio>\n"),
}
BUILT = {  # what the compiler is to choke on
    "macros that double": program(
        "macros", "#define M0 + 1\n" + numbered(9, "#define M@ " + "M$ " * 8 + "\n") + "int q = 0 M9;\n"
    ),
    "macros that make nothing": program("macros", "#define M0\n" + numbered(18, "#define M@ M$ M$ M$ M$\n") + "M18\n"),
    "templates without end": program(
        "depth", "template <int N> struct D { static constexpr int v = D<N + 1>::v; };\nint q = D<0>::v;\n"
    ),
    "templates that double": program(
        "4 s of processor time",
        "template <int N, long K> int f(int x) { if constexpr (N == 0) return x + K;\n"
        "  else return f<N - 1, 2 * K>(x) + f<N - 1, 2 * K + 1>(x); }\nint q(int x) { return f<22, 1>(x); }\n",
    ),
    "types that double": program(
        "of processor time",
        "template <class A, class B> struct P {};\ntemplate <int N, class T> struct D { using t =\n"
        "  P<typename D<N - 1, P<T, int>>::t, typename D<N - 1, P<int, T>>::t>; };\n"
        "template <class T> struct D<0, T> { using t = T; };\nint q = sizeof(D<24, int>::t);\n",
    ),
    "a pack of millions": program(
        "of processor time",
        "#include <utility>\ntemplate <int... I> int s(std::integer_sequence<int, I...>) { return ((I * I) + ... + 0); }\n"
        "int q() { return s(std::make_integer_sequence<int, 2000000>{}); }\n",
    ),
    "a constant without end": program(
        "BUILD_FAILED",
        "constexpr unsigned long e(unsigned long v) { while (v != 0) v = v * 3 + 1; return v; }\nstatic_assert(e(1) == 1);\n",
    ),
    "a constant that takes recursion": program(
        "",
        "constexpr int f(int n, int s) { return n < 2 ? n + s : f(n - 1, s + 1) + f(n - 2, s + 2); }\nconstexpr int q = f(40, 0);\n",
    ),
    "constants one after the other": program(
        "4 s of processor time",
        "template <int N> constexpr int e() { int v = N; for (int i = 0; i < 200000; i++) v ^= i; return v; }\n"
        + numbered(500, "constexpr int q@ = e<@>();\n"),
    ),
    "overloads": program(
        "4 s of processor time",
        numbered(3000, "struct S@ {}; int f(S@, int, long);\n") + numbered(2000, "int q@ = f(S@(), 1, 2);\n"),
    ),
    "errors without end": program("BUILD_FAILED", numbered(5000, "int q@ = nothing@;\n")),
    "an error that names a type of megabytes": program(
        "BUILD_FAILED",
        "template <class A, class B> struct P {};\n"
        "template <int N> struct D { using t = P<typename D<N - 1>::t, typename D<N - 1>::t>; };\n"
        "template <> struct D<0> { using t = int; };\nD<22>::t q = 3;\n",
    ),
    "gigabytes of numbers": program("BUILD_FAILED", "__device__ int big[1 << 30] = {1};\n"),
    "terabytes of zeros": program("BUILD_FAILED", "__device__ int big[1ull << 40];\n"),
    "a name of 200 KB": Row(0, "PASSED", f"int {'a' * 200_000} = 1;\n" + GOOD),
}
RUN = {  # what a program does when it is called
    "host: exits": on_host("", "exit(0);", "#include <cstdlib>\n"),
    "host: aborts": on_host("CRASHED", "abort();", "#include <cstdlib>\n"),
    "host: throws": on_host("", "throw 1;"),
    "host: reads nothing's memory": on_host("", "*(volatile int*)8 = 1;"),
    "host: calls itself": on_host(
        "", "f(n);", "int f(int n) { volatile char s[4096]; s[n & 7] = n; return f(n + 1) + s[0]; }\n"
    ),
    "host: prints without end": on_host("", 'for (;;) puts("a line of the program");', "#include <cstdio>\n"),
    "host: takes all memory": on_host(
        "OUT_OF_MEMORY", "for (;;) memset(malloc(1 << 26), 1, 1 << 26);", "#include <cstdlib>\n#include <cstring>\n"
    ),
    "host: asks for a terabyte": on_host("", "void* p; cudaMalloc(&p, 1ull << 40); cudaMemset(p, 0, 1ull << 40);"),
    "device: beyond the array": on_device("OUT_OF_BOUNDS", "x[n + i] = 1;"),
    "device: waits for nobody": on_device(
        "BARRIER", "__shared__ int s; if (i % 2) { __syncthreads(); s = 1; } __syncthreads();"
    ),
    "device: billions of blocks": Row(1, "", GOOD.replace("(n + 255) / 256, 256", "2147483647, 1024")),
    "device: asserts": Row(
        1, "", "#include <cassert>\n" + KERNEL.replace("DEVICE", "assert(i < 0);").replace("HOST", "")
    ),
    "device: prints": Row(
        1, "prints", "#include <cstdio>\n" + KERNEL.replace("DEVICE", 'printf("%d\\n", i);').replace("HOST", "")
    ),
}
ENDLESS = {  # ended by the limit of a call
    "host: never ends": on_host("TIMED_OUT", "for (volatile int i = 0; ; ) i = i + 1;"),
    "device: never ends": on_device("TIMED_OUT", "for (volatile int j = 0; ; ) j = j + 1;"),
}
REFERENCES = {
    "does not compile": (REFERENCE.replace("2.0f", "missing"), "missing"),
    "is not there": (REFERENCE.replace("scale", "other"), "scale"),
    "exits": ("#include <stdlib.h>\n" + REFERENCE.replace("{ for", "{ exit(0); for"), "ended"),
    "crashes": (REFERENCE.replace("2.0f * x[i]", "x[i * 100000000000ll + 100000000000ll]"), "crashed"),
    "throws": (REFERENCE.replace("{ for", "{ throw 1; for"), ""),
    "prints without end": (
        "#include <stdio.h>\n" + REFERENCE.replace("{ for", '{ for (;;) puts("a line"); for'),
        "printed",
    ),
    "takes all memory": (
        "#include <stdlib.h>\n#include <string.h>\n"
        + REFERENCE.replace("{ for", "{ for (;;) memset(malloc(1 << 26), 1, 1 << 26); for"),
        "memory",
    ),
    "starts processes": (
        "#include <unistd.h>\n" + REFERENCE.replace("{ for", "{ for (int i = 0; i < 2000; i++) fork(); for"),
        "starts a process",
    ),
    "never ends": (
        REFERENCE.replace("{ for", "{ for (volatile int i = 0; ; ) i = i + 1; for"),
        "6 s of processor time",
    ),
    "templates that double": (
        "template <int N, long K> int f(int x) { if constexpr (N == 0) return x + K;\n"
        "  else return f<N - 1, 2 * K>(x) + f<N - 1, 2 * K + 1>(x); }\nint q(int x) { return f<22, 1>(x); }\n"
        + REFERENCE,
        "6 s of processor time",
    ),
}
TASKS = {
    "no TOML": ("schema = = 1", "TOML"),
    "empty": ("", ""),
    "tables without end": ("a = " + "[" * 100_000, "TOML"),
    "dots without end": ("a" + ".a" * 20_000 + " = 1\n", ""),
    "numbers without end": (TASK.replace("schema = 1", "schema = " + "9" * 10_000), ""),
    "no schema": (TASK.replace("schema = 1\n", ""), "schema"),
    "another kind of value": (TASK.replace('entry = "scale"', "entry = [1]"), "entry"),
    "no sizes": (TASK[: TASK.index("[sizes]")], "sizes"),
    "no check": (TASK.replace("check = [ { n = 5 }, { n = 300 } ]", "check = []"), "check"),
    "a size below zero": (TASK.replace("n = 5", "n = -5"), "n"),
    "a size that is no number": (TASK.replace("n = 5", "n = nan"), ""),
    "an argument twice": (TASK.replace('name = "x"', 'name = "n"'), ""),
    "a type that is none": (TASK.replace("float32", "float31"), "float31"),
    "a shape of powers": (TASK.replace('["n"]', '["9**9**9**9"]'), ""),
    "a shape that calls": (TASK.replace('["n"]', "[\"__import__('os')\"]"), "shape"),
    "a shape in circles": (TASK.replace('["n"]', '["x"]'), ""),
    "gigabytes": (TASK.replace("n = 300", "n = 2147483647"), "GiB"),
    "utf-16": (TASK.encode("utf-16"), ""),
    "zeros": (TASK.encode() + b"\0" * 100, ""),
}


def told(done, code: int, words: str) -> None:
    """One line that decides: of a verdict its first, of a fault all that is said."""
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said[-3000:]
    assert done.returncode == code, (done.returncode, said[-1500:])
    if code == 2:
        line = done.stderr.strip()
        assert line.startswith("regrapht: ") and line.count("\n") == 0, line[-1500:]
    else:
        line = done.stdout.splitlines()[0]
        assert re.match(r"[A-Z_]+: \S", line), line
    assert words in line and "Errno" not in line and len(line) < 700, line


def judged(cli, row: Row):
    (cli.folder / "task.toml").write_text(TASK)
    (cli.folder / "reference.cpp").write_text(REFERENCE)
    file = cli.folder / "program.cu"
    if row.place is not None:
        row.place(file)
    else:
        file.write_bytes(row.content if isinstance(row.content, bytes) else row.content.encode())
    return cli("check", ".", "program.cu", "--no-server", "--evaluator", "emulated", "--level", "screen")


@pytest.mark.parametrize("name", READ)
def test_what_is_no_file(cli, name):
    told(judged(cli, READ[name]), READ[name].code, READ[name].words)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_no_program(cli, name):
    told(judged(cli, TEXTS[name]), TEXTS[name].code, TEXTS[name].words)


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT)
def test_what_a_compiler_is_to_choke_on(cli, name):
    told(judged(cli, BUILT[name]), BUILT[name].code, BUILT[name].words)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RUN, *ENDLESS])
def test_what_a_program_does(cli, name):
    row = (RUN | ENDLESS)[name]
    told(judged(cli, row), row.code, row.words)


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCES)
def test_what_a_reference_does(cli, name):
    reference, words = REFERENCES[name]
    (cli.folder / "task.toml").write_text(TASK)
    (cli.folder / "reference.cpp").write_text(reference)
    (cli.folder / "program.cu").write_text(GOOD)
    done = cli("check", ".", "program.cu", "--no-server", "--evaluator", "emulated", "--level", "screen")
    told(done, 2, words)


@pytest.mark.slow
def test_a_reference_that_writes_files_leaves_none(cli):
    writes = REFERENCE.replace(
        "{ for", '{ fopen("planted", "w"); fopen("/tmp/planted", "w"); fopen("../planted", "w"); for'
    )
    (cli.folder / "task.toml").write_text(TASK)
    (cli.folder / "reference.cpp").write_text("#include <stdio.h>\n" + writes)
    (cli.folder / "program.cu").write_text(GOOD)
    told(cli("check", ".", "program.cu", "--no-server", "--evaluator", "emulated", "--level", "screen"), 0, "PASSED")
    assert not [*cli.folder.parent.rglob("planted")] and not Path("/tmp/planted").exists()


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 2**12, 2**16, 2**20, 2**24])
@pytest.mark.parametrize("cache", ["cold", "warm"])
def test_a_full_disk(cli, room, cache):
    """A limit of the size of files stands for it: whatever is larger than `room` cannot be written."""
    (cli.folder / "task.toml").write_text(TASK)
    (cli.folder / "reference.cpp").write_text(REFERENCE)
    (cli.folder / "program.cu").write_text(GOOD)
    program = (
        f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({room}, -1)); from regrapht.cli.main import main; main()"
    )
    command = ("check", ".", "program.cu", "--no-server", "--evaluator", "emulated", "--level", "screen")
    cold = {"REGRAPHT_CACHE": str(cli.folder / "cache")} if cache == "cold" else {}
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=cli.folder,
        env={**cli.environment, **cold, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    if done.returncode == 0:
        assert cache == "warm" and room, "nothing had to be written"
        return
    line = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 3 and line.startswith("regrapht: ") and "Errno" not in line, (done.returncode, line)
    assert re.search("TMPDIR|REGRAPHT_CACHE|REGRAPHT_HOME", line), line


@pytest.mark.parametrize("name", TASKS)
def test_what_is_no_task(cli, name):
    toml, words = TASKS[name]
    (cli.folder / "task.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    (cli.folder / "reference.cpp").write_text(REFERENCE)
    (cli.folder / "program.cu").write_text(GOOD)
    told(cli("check", ".", "program.cu", "--no-server", "--evaluator", "emulated"), 2, words)


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket", "loop", "device"])
def test_a_description_that_is_no_file(cli, kind):
    kinds = {
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
        "socket": listening,
        "loop": lambda path: path.symlink_to(path),
        "device": lambda path: path.symlink_to("/dev/zero"),
    }
    kinds[kind](cli.folder / "task.toml")
    (cli.folder / "program.cu").write_text(GOOD)
    told(cli("check", ".", "program.cu", "--no-server", "--evaluator", "emulated"), 2, "task.toml")


def test_there_are_sixty_rows():
    assert sum(map(len, (READ, TEXTS, BUILT, RUN, ENDLESS, REFERENCES, TASKS))) >= 60
