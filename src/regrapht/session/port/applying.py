"""Programs put into a copy of the application: calls in its sources, the sources of the programs, and its build."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.patch import difference, hooked
from regrapht.session.port.compile_log import Compiled
from regrapht.session.port.makefiles import MAKEFILES, into_make
from regrapht.session.port.shared_memory import SHARED_MEMORY
from regrapht.store.blobs import write_atomically

FOLDER = "regrapht"
"""Where the programs go in the project."""
MEMORY_FILE = "shared_memory.cpp"
_NOT_KEPT = {"report.html", "best.cu", "best.h", "use_best.cu", "verdict.json", "decisions.json"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A program that goes into the application, and its result folder."""

    interface: Interface
    results: Path
    unit: Path
    """The source file of the application that is compiled, below its folder."""
    users: frozenset[Path] = frozenset()
    """All source files that have its text, where it is in a header."""


def apply(
    copy: Path,
    project: Path,
    taken: Sequence[Taken],
    compiled: Sequence[Compiled],
    *,
    build: str,
    shares: bool = True,
) -> str | None:
    """Put the programs into a fresh copy.

    Args:
        build: The command that the application is built with.
        shares: Whether large blocks of the application's `new` become memory that CPU and GPU share, so that nothing is copied at calls.

    Returns:
        None for CMake and make. For another build the command that makes the programs and prints what compilers have to be given more.

    Raises:
        ConfigError: A file has changed since it was read, or the build takes no more libraries.
    """
    files: dict[Path, list[Interface]] = {}
    for one in taken:
        home = one.interface.task.home
        assert home is not None, "functions of a project have one"
        files.setdefault(Path(home.file).relative_to(project), []).append(one.interface)
    for file, interfaces in files.items():
        after = hooked((copy / file).read_text(encoding="utf-8"), interfaces)
        if after is None:
            raise ConfigError(f"{project / file} has changed since it was read: run port again")
        (copy / file).write_text(after, encoding="utf-8")
    for one in taken:
        folder = copy / FOLDER / one.interface.name
        folder.mkdir(parents=True)
        for path in one.results.iterdir():
            if (
                path.is_file()
                and path.name not in _NOT_KEPT
                and not path.name.startswith(".")
                and path.suffix != ".patch"
            ):
                (folder / path.name).write_bytes(path.read_bytes())
    names = [one.interface.name for one in taken]
    if shares:
        (copy / FOLDER / MEMORY_FILE).write_text(SHARED_MEMORY, encoding="utf-8")
    if _is_cmake(copy, compiled):
        _into_cmake(copy, taken, compiled, shares=shares)
        return None
    (copy / FOLDER / "regrapht.mk").write_text(
        _make_rules(names, [one.interface.macro for one in taken], shares=shares), encoding="utf-8"
    )
    changed = _made_files(copy, compiled, build)
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
    if changed:
        return None
    return f"make -s -f {FOLDER}/regrapht.mk regrapht-words"


def check_takes(copy: Path, compiled: Sequence[Compiled], *, build: str) -> None:
    """Find out before any search whether a build takes programs.

    Raises:
        ConfigError: It does not; in one line, what to do.
    """
    if not _is_cmake(copy, compiled):
        _made_files(copy, compiled, build)


def _is_cmake(copy: Path, compiled: Sequence[Compiled]) -> bool:
    return (copy / "CMakeLists.txt").is_file() and any(one.target for one in compiled)


def _made_files(copy: Path, compiled: Sequence[Compiled], build: str) -> dict[Path, str]:
    """Makefiles as they are to be; none where make does not build."""
    makefile = next((copy / name for name in MAKEFILES if (copy / name).is_file()), None)
    if makefile is None or not re.search(r"\bmake\b", build):
        return {}
    return into_make(makefile, compiled, build=build, rules=f"{FOLDER}/regrapht.mk")


def patch_of(before: Path, after: Path) -> str:
    """The patch between two copies, for `git apply`."""
    pieces = []
    for path in sorted(after.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        shown = path.relative_to(after).as_posix()
        old = before / shown
        data = path.read_bytes()
        if old.is_file() and old.read_bytes() == data:
            continue
        pieces.append(difference(old.read_text(encoding="utf-8") if old.is_file() else "", data.decode(), shown))
    return "".join(pieces)


def write_into(project: Path, patched: Path, plain: Path, *, mark: Path) -> None:
    """Write to the user's folder what differs between two copies; the file `mark` is there meanwhile."""
    mark.write_text("", encoding="utf-8")
    for path in sorted(patched.rglob("*")):
        inside = path.relative_to(patched)
        if path.is_file() and (not (plain / inside).is_file() or (plain / inside).read_bytes() != path.read_bytes()):
            (project / inside).parent.mkdir(parents=True, exist_ok=True)
            _write(project / inside, path.read_bytes())
    mark.unlink()


def undo_half(project: Path, patched: Path, plain: Path, *, mark: Path) -> None:
    """Take back what `write_into` wrote before it was killed; what the user has changed since stays as it is."""
    if not mark.is_file():
        return
    for path in sorted(patched.rglob("*"), reverse=True):
        inside = path.relative_to(patched)
        own, before = project / inside, plain / inside
        if path.is_dir() and own.is_dir() and not before.exists() and not any(own.iterdir()):
            own.rmdir()
        elif path.is_file() and own.is_file() and own.read_bytes() == path.read_bytes():
            if before.is_file():
                _write(own, before.read_bytes())
            else:
                own.unlink()
    mark.unlink()


def _write(path: Path, data: bytes) -> None:
    """All of a file's new contents, or none of them; who may do what with it stays."""
    mode = path.stat().st_mode if path.is_file() else None
    write_atomically(path, data)
    if mode is not None:
        path.chmod(mode)


_EXACT = """\
set(REGRAPHT_EXACT ON CACHE BOOL "Round each product and each sum, as a compiler does for x86-64; OFF may be quicker")
"""
"""nvcc joins a product and a sum into one rounding: other last bits than the application had, which its output may tell."""
_TESTS = f"""\
option(REGRAPHT_TESTS "Build each program's test beside it: ctest --test-dir build/{FOLDER}" OFF)
if(REGRAPHT_TESTS)
  enable_testing()
endif()
"""
_SHARED = f"""\
add_library(regrapht_memory INTERFACE)
add_library(regrapht::memory ALIAS regrapht_memory)
if(NOT DEFINED REGRAPHT_CUDA OR REGRAPHT_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit REQUIRED)
    add_library(regrapht_shared_memory STATIC {MEMORY_FILE})
    target_link_libraries(regrapht_shared_memory PUBLIC CUDA::cudart)
    target_link_libraries(regrapht_memory INTERFACE regrapht_shared_memory)
  endif()
endif()
"""


def _into_cmake(copy: Path, taken: Sequence[Taken], compiled: Sequence[Compiled], *, shares: bool) -> None:
    targets: dict[str, list[str]] = {}
    for one in taken:
        of = {each.target for each in compiled if each.source in {one.unit, *one.users}} - {None}
        if not of:
            raise ConfigError(
                f"CMake's target of {one.unit} is not known: link regrapht::{one.interface.name} to it by hand"
            )
        for target in sorted(map(str, of)):
            targets.setdefault(target, []).append(f"regrapht::{one.interface.name}")
    lines = "".join(f"add_subdirectory({one.interface.name})\n" for one in taken)
    memory = _SHARED if shares else ""
    (copy / FOLDER / "CMakeLists.txt").write_text(
        f"# Programs made by regrapht.\n{_EXACT}{_TESTS}{lines}{memory}", encoding="utf-8"
    )
    text = (copy / "CMakeLists.txt").read_text(encoding="utf-8").rstrip("\n")
    text += f"\n\nadd_subdirectory({FOLDER})  # made by regrapht\n"
    for target, libraries in targets.items():
        libraries += ["regrapht::memory"] if shares else []
        text += f"target_link_libraries({target} PRIVATE {' '.join(libraries)})\n"
    (copy / "CMakeLists.txt").write_text(text, encoding="utf-8")


_FOLDERS_SAID = r"sed -n -e 's/^.* LIBRARIES=//p' -e 's/^.* TOP=\(.*\)/-L\1\/lib64 -L\1\/lib/p'"
"""What `nvcc -dryrun` prints -> options of the linker."""


def _make_rules(names: Sequence[str], macros: Sequence[str], *, shares: bool) -> str:
    memory = f"REGRAPHT_OBJECTS += $(REGRAPHT_HERE){MEMORY_FILE.removesuffix('.cpp')}.o\n" if shares else ""
    flags = " ".join(f"-I$(REGRAPHT_HERE){name} -D{macro}=1" for name, macro in zip(names, macros, strict=True))
    cuda = " ".join(f"-D{macro}_CUDA=1" for macro in macros)
    inside = " ".join(f"$(REGRAPHT_HERE){name}/{name}" for name in names)
    tests = " ".join(f"$(REGRAPHT_HERE){name}/test_{name}" for name in names)
    return f"""\
# Programs made by regrapht, for make: with CUDA where nvcc is found, else the sequential functions.
REGRAPHT_HERE := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))/
REGRAPHT_GOAL := $(.DEFAULT_GOAL)
REGRAPHT_FLAGS := {flags}
REGRAPHT_NVCC ?= $(shell command -v nvcc)
override REGRAPHT_NVCC := $(filter-out none,$(REGRAPHT_NVCC))
REGRAPHT_ARCH ?= native
# Each product and each sum is rounded, as a compiler does for x86-64; REGRAPHT_EXACT=0 may be quicker.
REGRAPHT_EXACT ?= 1
REGRAPHT_LIBRARY := $(REGRAPHT_HERE)libregrapht.a
REGRAPHT_PROGRAMS := {inside}
REGRAPHT_OBJECTS := $(addsuffix _cpu.o,$(REGRAPHT_PROGRAMS))
REGRAPHT_OPTIMISED ?= -O2
ifneq ($(REGRAPHT_NVCC),)
REGRAPHT_FLAGS += {cuda}
REGRAPHT_OBJECTS += $(addsuffix _on_device.o,$(REGRAPHT_PROGRAMS)) $(addsuffix _host.o,$(REGRAPHT_PROGRAMS))
{memory}# nvcc may be a script that calls the real one: where its libraries are, it says itself.
REGRAPHT_FOLDERS := $(shell $(REGRAPHT_NVCC) -dryrun -o x x.o 2>&1 | {_FOLDERS_SAID})
REGRAPHT_LIBRARIES := $(REGRAPHT_FOLDERS) -lcudart_static -ldl -lrt -lpthread
endif

regrapht-words: $(REGRAPHT_LIBRARY)
\t@echo $(REGRAPHT_FLAGS) $(REGRAPHT_LIBRARY) $(REGRAPHT_LIBRARIES)
$(REGRAPHT_LIBRARY): $(REGRAPHT_OBJECTS)
\t@$(AR) rcs $@ $^
%_cpu.o: %_cpu.cpp
\t@$(CXX) $(REGRAPHT_OPTIMISED) $(REGRAPHT_FLAGS) -c $< -o $@
%_on_device.o: %.cu
\t@$(REGRAPHT_NVCC) -O3 -arch=$(REGRAPHT_ARCH) --expt-relaxed-constexpr $(if $(filter 0,$(REGRAPHT_EXACT)),,-fmad=false) \\
\t\t$(REGRAPHT_FLAGS) -c $< -o $@
$(REGRAPHT_HERE){MEMORY_FILE.removesuffix(".cpp")}.o: $(REGRAPHT_HERE){MEMORY_FILE}
\t@$(REGRAPHT_NVCC) -O2 -c $< -o $@
%_host.o: %_host.cu
\t@$(REGRAPHT_NVCC) -O3 -arch=$(REGRAPHT_ARCH) $(REGRAPHT_FLAGS) -c $< -o $@
# Each program beside the sequential function: make regrapht-test
REGRAPHT_TESTS := {tests}
$(REGRAPHT_TESTS): %: %.cpp $(REGRAPHT_LIBRARY)
\t@$(CXX) $(REGRAPHT_OPTIMISED) $(REGRAPHT_FLAGS) $< $(REGRAPHT_LIBRARY) $(REGRAPHT_LIBRARIES) -o $@
.PHONY: regrapht-test regrapht-words
regrapht-test: $(REGRAPHT_TESTS)
\t@for one in $^; do $$one || exit 1; done
.DEFAULT_GOAL := $(REGRAPHT_GOAL)
"""
