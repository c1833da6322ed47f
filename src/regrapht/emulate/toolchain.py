"""What is compiled once and kept: the CUDA headers' precompiled form and the harness, for each compiler, set of flags and source.

These are our own sources, so they are built outside the sandbox. One process builds at a time, the others wait; every file appears by a
rename, so one that is killed leaves nothing half done.
"""

import contextlib
import fcntl
import functools
import hashlib
import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from regrapht import settings
from regrapht.emulate import kept_files
from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.compiler_folder import library_path

_log = logging.getLogger(__name__)
RUNTIME = Path(__file__).resolve().parent / "runtime"
WIRE = Path(__file__).resolve().parents[1] / "sandbox" / "wire.h"
UMBRELLA = "everything.h"

MEMORY_FUNCTIONS = (
    *("memcpy", "memmove", "mempcpy", "bcopy", "memset", "bzero", "memcmp", "bcmp", "memchr"),
    *("strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strpbrk", "strspn", "strcspn"),
    *("strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat"),
    *("modf", "modff", "frexp", "frexpf", "lgamma_r", "lgammaf_r", "sincos", "sincosf", "remquo", "remquof"),
)
"""Functions of the C library that touch memory: their calls come to our own (`runtime/library_functions.h`), which check what they do."""
# Some distributions' compilers fortify by themselves: the C library then defines its memory functions inline, and ours are meant.
_PLAIN_LIBRARY = ("-U_FORTIFY_SOURCE",)
_LANGUAGE = ("-w", "-g1", "-fPIC", "-O2", "-ffp-contract=fast", "-mfma", "-mf16c", "-mavx2", *_PLAIN_LIBRARY)
_SHARED_OBJECT = ("-fno-strict-aliasing", "-fno-semantic-interposition", "-fno-threadsafe-statics")
# nvcc's: what a program may write and see is the same in both. Our headers need one word more, which clang has in C++20 alone.
_STANDARD_GNU, _STANDARD_CLANG = ("-std=c++17", "-fconcepts"), ("-std=c++20",)
_AS_CALLS = tuple(f"-fno-builtin-{name}" for name in MEMORY_FUNCTIONS)
# The compiler calls our __tsan_* functions at each access; libtsan is never linked. -fno-tree-sra keeps a float4 one 16-byte access, the
# other -fno flags keep accesses from being merged, cloned or vectorised.
_CHECKED_GNU = (
    "-fno-tree-vectorize",
    "-fno-tree-slp-vectorize",
    "-fno-tree-sra",
    "-fno-ipa-sra",
    "-fno-ipa-cp",
    "-fno-ipa-icf",
    "-fno-tree-loop-distribute-patterns",
    "-fno-optimize-sibling-calls",  # a tail call would hide where it came from
    # `array[i] = f(array[j])` with classes: without this, memory itself would be the call's result and argument, which get no hook.
    "-fno-elide-constructors",
    "-fsanitize=thread",
    "--param",
    "tsan-instrument-func-entry-exit=0",
    "--param",
    "tsan-distinguish-volatile=1",
    "-fsanitize=object-size",  # local arrays: the only accesses that have no hook
    "-fsanitize=bounds",  # rows and members inside one object, as far as its type tells
    "-fsanitize=alignment",  # the access hooks do not tell sixteen bytes of alignment 8 from a float4
    "-fsanitize=shift-exponent,float-cast-overflow",  # what a GPU does otherwise than this machine
    "-fno-aggressive-loop-optimizations",
    "-fsanitize-coverage=trace-pc",
    "-fdisable-rtl-loop2_unroll",  # loops of an unknown number of iterations stay loops
)
# clang's instrumentation sees the same accesses, but it copies a float4 by a call of memcpy, which has no alignment, and it sees reads of
# threadIdx and its like too: evidence is reduced.
_CHECKED_CLANG = (
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fsanitize=thread",
    *("-mllvm", "-tsan-instrument-read-before-write=1"),
    *("-mllvm", "-tsan-instrument-func-entry-exit=0"),
    *("-mllvm", "-tsan-distinguish-volatile=1"),
    "-fsanitize=object-size,alignment",
    "-fsanitize-coverage=trace-pc",
)
# Where the program's own arrays alone are checked: `runtime/stack_checks.h` has the other half. What the optimiser would move behind a
# condition stays.
_STACKS_GNU = (
    "-fsanitize=kernel-address",
    "-fasan-shadow-offset=0x7fff8000",
    "-fsanitize-address-use-after-scope",
    *("--param", "asan-stack=1", "--param", "asan-globals=1", "--param", "asan-instrument-allocas=0"),
    *("--param", "asan-instrumentation-with-call-threshold=0"),
    *("-fno-tree-sink", "-fno-tree-pre", "-fno-code-hoisting", "-fno-optimize-sibling-calls"),
    "-fsanitize-coverage=trace-cmp,trace-pc",  # what is compared with what, and what follows: `runtime/comparisons.h`
    *(
        "-fno-if-conversion",
        "-fno-if-conversion2",
        "-fno-ssa-phiopt",
        "-fno-tree-ch",
    ),  # a branch stays one, and so does a loop's end
)
_LEAST_GNU, _LEAST_CLANG = 12, 14
_MOST_ERRORS = 50
_HARNESS = (
    *_PLAIN_LIBRARY,
    *("-std=c++20", "-O2", "-g1", "-w", "-no-pie", "-rdynamic", "-fno-strict-aliasing", "-fno-threadsafe-statics"),
    *("-falign-functions=64", "-falign-jumps=32"),  # the access hooks run at the same speed wherever they come to lie
)
# Candidates are linked without libraries and find the C++ library in the harness: where it is an archive alone, that goes in whole.
_HARNESS_LIBRARIES = ("-ldl", "-Wl,--no-as-needed,--whole-archive", "-lstdc++", "-Wl,--no-whole-archive", "-lm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """One compiler with one set of flags, ready to build candidates."""

    compiler: str
    flags: tuple[str, ...]
    folder: Path
    """Everything that a sandboxed compiler or run must be able to read, besides the system's own files."""
    harness: Path
    checked: bool
    stacks: bool = False
    """The program's own arrays alone are checked."""
    clang: bool = False

    @property
    def precompiled(self) -> Path:
        """The headers' precompiled form."""
        return self.folder / f"{UMBRELLA}.{'pch' if self.clang else 'gch'}"

    @property
    def fewer_errors(self) -> str:
        """The option that ends a compiler after so many errors: for each name that it does not know it looks through all that it does."""
        return f"{'-ferror-limit' if self.clang else '-fmax-errors'}={_MOST_ERRORS}"

    @property
    def include(self) -> tuple[str, ...]:
        """Options with which a candidate finds the headers; g++ finds their precompiled form by itself."""
        folders = (f"-I{self.folder}", f"-I{self.folder / 'include'}")
        return (*folders, "-include-pch", str(self.precompiled)) if self.clang else folders


def problem_with_compiler(compiler: str) -> str | None:
    """Why `compiler` cannot be used, or None."""
    path = shutil.which(compiler)
    if path is None:
        return f"no C++ compiler: {compiler} is not on the path"
    known, least = ("clang", _LEAST_CLANG) if is_clang(path) else ("g++", _LEAST_GNU)
    if known == "g++" and "Free Software Foundation" not in _version(path):
        return f"{compiler} is neither g++ nor clang; other compilers lack the instrumentation that the checks need"
    number = subprocess.run([path, "-dumpversion"], capture_output=True, text=True, check=False).stdout.split(".")[0]
    if not number.strip().isdigit() or int(number) < least:
        return f"{compiler} is {known} {number.strip() or 'unknown'}; {least} or newer is needed"
    for tool in ("objdump", "readelf"):
        if shutil.which(tool) is None:
            return f"{tool} is not on the path"
    missing = {"avx2", "fma", "f16c"} - _cpu_flags()
    if missing:
        return f"the processor lacks {', '.join(sorted(missing))}"
    return None


def is_clang(compiler: str) -> bool:
    """Whether `compiler` is clang: it serves where there is no g++, with reduced evidence."""
    path = shutil.which(compiler)
    return path is not None and "clang version" in _version(path)


_ready: dict[tuple[Path, bool, bool, str], tuple[Toolchain, object]] = {}
"""What this process has seen whole, with what tells that a file was written since."""


def prepare(cache: Path, *, checked: bool, stacks: bool = False) -> Toolchain:
    """The toolchain for plain or checked builds, compiled into `cache` when it is not there yet or no longer what was built (some seconds).

    `stacks` is for builds that check the program's own arrays alone, by g++.

    Every file is held against its hash when a process asks first, and again whenever one was written.

    Raises:
        EvaluatorUnavailable: No usable compiler, or the cache cannot be written.
    """
    key = (cache, checked, stacks, settings.cxx())
    known = _ready.get(key)
    if known is not None:
        with contextlib.suppress(OSError):
            if kept_files.places(known[0].folder) == known[1]:
                return known[0]
    tools = _prepared(cache, checked=checked, stacks=stacks)
    _ready[key] = (tools, kept_files.places(tools.folder))
    return tools


def _prepared(cache: Path, *, checked: bool, stacks: bool) -> Toolchain:
    compiler = settings.cxx()
    problem = problem_with_compiler(compiler)
    if problem is not None:
        raise EvaluatorUnavailable(problem)
    path = shutil.which(compiler) or compiler
    clang = is_clang(path)
    if stacks and clang:
        raise EvaluatorUnavailable(f"{compiler} is clang: local arrays are checked in a build by g++ alone")
    checks = (*(_CHECKED_CLANG if clang else _CHECKED_GNU), *_AS_CALLS) if checked else _STACKS_GNU if stacks else ()
    flags = (*(_STANDARD_CLANG if clang else _STANDARD_GNU), *_LANGUAGE, *_SHARED_OBJECT, *checks)
    folder = cache / f"{_kind(checked=checked, stacks=stacks)}-{_fingerprint(path, flags)}"
    harness = folder / "harness"
    tools = Toolchain(
        compiler=path, flags=flags, folder=folder, harness=harness, checked=checked, stacks=stacks, clang=clang
    )
    if kept_files.damage(folder) is None:  # looked at without waiting for those who build
        return tools
    try:
        with _alone(cache):
            _make(tools)
    except OSError as error:
        why = error.strerror or error
        raise EvaluatorUnavailable(
            f"the emulator's cache {cache} cannot be written: {why}; name another folder with REGRAPHT_CACHE"
        ) from error
    return tools


def _kind(*, checked: bool, stacks: bool) -> str:
    return "checked" if checked else "stacks" if stacks else "plain"


@contextlib.contextmanager
def _alone(cache: Path) -> Iterator[None]:
    """One process, and one thread of it, builds at a time; the others wait and find everything there."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(tools: Toolchain) -> None:
    header, precompiled = tools.folder / UMBRELLA, tools.precompiled
    if tools.folder.exists() and (damaged := kept_files.damage(tools.folder)) is not None:
        if damaged != kept_files.MANIFEST:
            _log.warning("%s is not what was built: it is built again", tools.folder / damaged)
        shutil.rmtree(tools.folder)
    if precompiled.exists() and tools.harness.exists():
        return
    kind = _kind(checked=tools.checked, stacks=tools.stacks)
    _log.info("building the emulator for %s runs with %s: some ten seconds, once on this machine", kind, tools.compiler)
    tools.folder.mkdir(parents=True, exist_ok=True)
    tools.folder.chmod(0o755)
    _install_headers(tools.folder)
    define = ("-DREGRAPHT_CHECKED",) if tools.checked else ("-DREGRAPHT_STACKS",) if tools.stacks else ()
    own = (f"-I{tools.folder}", f"-I{tools.folder / 'include'}")
    source = (f"-I{WIRE.parent}", str(RUNTIME / "runtime.cpp"), *_HARNESS_LIBRARIES, *library_path(tools.compiler))
    parts = (
        ((tools.compiler, *tools.flags, *own, "-x", "c++-header", str(header)), precompiled, 0o644),
        ((tools.compiler, *_HARNESS, *define, *source), tools.harness, 0o755),
    )
    with ThreadPoolExecutor(len(parts)) as pool:  # neither needs the other, and somebody waits
        for build in [pool.submit(_compile, *part) for part in parts if not part[1].exists()]:
            build.result()
    kept_files.seal(tools.folder)


def _install_headers(folder: Path) -> None:
    """Copy the CUDA headers beside the precompiled one, so that a sandbox needs to see this folder alone."""
    target = folder / "include"
    if target.exists():
        return
    with tempfile.TemporaryDirectory(dir=folder, prefix="headers-") as scratch:
        copy = Path(scratch) / "include"
        shutil.copytree(RUNTIME / "include", copy)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        umbrella = Path(scratch) / UMBRELLA
        umbrella.write_text('#include "emulated/everything.h"\n')
        umbrella.chmod(0o644)
        umbrella.replace(folder / UMBRELLA)
        with contextlib.suppress(
            FileExistsError, OSError
        ):  # another process was first; ours goes with the scratch folder
            copy.rename(target)
    if not target.exists():
        raise OSError(f"{target} could not be made")


def _compile(command: tuple[str, ...], target: Path, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f"{target.name}-")
    os.close(handle)
    try:
        done = subprocess.run([*command, "-o", name], capture_output=True, text=True, check=False)
        if done.returncode:
            raise EvaluatorUnavailable(_own_fault(done.stderr, target.parent))
        os.chmod(name, mode)
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)


_NO_ROOM = re.compile(r"No space left on device|File too large|File size limit exceeded|Disk quota exceeded")


def _own_fault(errors: str, folder: Path) -> str:
    """In one line: what a compiler said of our own sources, or that there is no room for what it makes of them."""
    if (full := _NO_ROOM.search(errors)) is not None:
        return f"the emulator's cache {folder} cannot be written: {full[0]}; make room, or name another folder with REGRAPHT_CACHE"
    lines = errors.strip().splitlines() or ["the compiler said nothing"]
    return f"the emulator's own sources do not compile: {next((line for line in lines if 'error' in line), lines[0])[:500]}"


def _fingerprint(compiler: str, flags: tuple[str, ...]) -> str:
    digest = hashlib.sha256(
        repr((compiler, _version(compiler), flags, _HARNESS, _HARNESS_LIBRARIES, library_path(compiler))).encode()
    )
    for path in sorted(path for path in (*RUNTIME.rglob("*"), WIRE) if path.is_file()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _version(compiler: str) -> str:
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout


@functools.cache
def _cpu_flags() -> frozenset[str]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return frozenset(line.partition(":")[2].split())
    return frozenset()
