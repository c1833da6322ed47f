"""Candidates of the transform engine as native programs beside their references: dozens in one file, compiled once, run in the sandbox."""

import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht import settings
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.sandbox.sandbox import Command, Limits, Sandbox

HEADER = Path(__file__).with_name("light_cuda.h")
_HEADERS = {name: Path(__file__).with_name(name) for name in (HEADER.name, "light_blas.h")}
SCALAR = 1.25
_LETTERS = {("int", 1): "b", ("uint", 1): "B", ("int", 2): "h", ("uint", 2): "H", ("int", 4): "i", ("uint", 4): "I"}
_LETTERS |= {("int", 8): "q", ("uint", 8): "Q", ("float", 4): "f", ("float", 8): "d"}
_LAUNCH = re.compile(r"(\w+)<<<(.*?)>>>\((.*?)\);", re.S)
_FLAGS = ("-std=c++17", "-O1", "-w", "-fno-strict-aliasing", "-ffp-contract=off")


@dataclass(frozen=True, slots=True)
class Pair:
    """A task's reference and one candidate for it."""

    task: Task
    source: str


def native_differences(pairs: Sequence[Pair], sandbox: Sandbox, *, wall_s: float = 240) -> dict[int, list[str]]:
    """What is wrong with each candidate, by its place in `pairs`; those that are right are absent.

    Values at every check size of its task, with the threads of a block in ascending and in descending order; writes beside arrays; barriers
    that not all threads reach.

    Raises:
        AssertionError: The file does not compile, or the run does not end; says so.
    """
    text = "\n".join([f'#include "{HEADER.name}"', *(_part(k, pair) for k, pair in enumerate(pairs)), _main(pairs)])
    folder = _precompiled(settings.cxx())
    script = f"{settings.cxx()} {' '.join(_FLAGS)} -I{folder} all.cpp -o all 2>errors || exit 9\n./all >said; echo $? >status\n"
    command = Command(
        argv=("/bin/sh", "run.sh"),
        files={"all.cpp": text.encode(), "run.sh": script.encode()},
        collect=("errors", "said", "status"),
        read_only=(folder,),
    )
    done = sandbox.run(command, Limits(wall_s=wall_s))
    files = {name: data.decode(errors="replace") for name, data in done.files.items()}
    assert done.ok, (
        f"{done.stopped or done.exit_code}: {files.get('errors', '')[:3000]}\n{files.get('said', '')[-500:]}"
    )
    found: dict[int, list[str]] = {}
    finished = -1
    for line in files["said"].splitlines():
        number, _, rest = line.partition(": ")
        if rest == "done":
            finished = int(number)
        elif number.isdigit():
            found.setdefault(int(number), []).append(rest)
        else:
            found.setdefault(finished + 1, []).append(line)
    if files["status"].strip() != "0":
        found.setdefault(finished + 1, []).append(f"ended with status {files['status'].strip()}")
    return found


@functools.cache
def _precompiled(compiler: str) -> Path:
    """A folder with the headers and their precompiled form, made once on a machine: compiling them takes longer than most candidates."""
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    contents = b"".join(path.read_bytes() for path in _HEADERS.values())
    key = hashlib.sha256(b"\0".join([version, repr(_FLAGS).encode(), contents])).hexdigest()[:16]
    folder = settings.cache() / "tests" / f"light-{key}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            made = Path(scratch) / "made"
            made.mkdir(mode=0o755)
            for name, path in _HEADERS.items():
                shutil.copyfile(path, made / name)
            target = made / f"{HEADER.name}.gch"
            subprocess.run([compiler, *_FLAGS, "-x", "c++-header", made / HEADER.name, "-o", target], check=True)
            for path in (folder.parent, made, *made.iterdir()):
                path.chmod(0o755 if path.is_dir() else 0o644)
            if not folder.exists():  # another process may have been first; ours goes with the scratch folder
                os.rename(made, folder)
    return folder


def warnings(sources: Sequence[str], sandbox: Sandbox) -> dict[int, list[str]]:
    """What the compiler says of candidates under -Wall -Wextra, by their places in `sources`; those without a word are absent.

    Raises:
        AssertionError: They do not compile.
    """
    parts = [
        f'#line 1 "candidate_{number}"\nnamespace candidate_{number} {{\n{_plain(number, source)}\n}}'
        for number, source in enumerate(sources)
    ]
    text = "\n".join([f"#include <{HEADER.name}>", *parts])
    flags = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-strict-aliasing", "-isystem", ".")
    command = Command(
        argv=("/bin/sh", "-c", f"{settings.cxx()} {' '.join(flags)} -c all.cpp -o all.o 2>said"),
        files={"all.cpp": text.encode(), **_HEADERS},
        collect=("said",),
    )
    done = sandbox.run(command, Limits(wall_s=240))
    said = done.files.get("said", b"").decode(errors="replace")
    assert done.ok, said[:3000]
    found: dict[int, list[str]] = {}
    for number, line, message in re.findall(r"^candidate_(\d+):(\d+):\d+: warning: (.*)$", said, re.M):
        found.setdefault(int(number), []).append(f"line {line}: {message}")
    return found


def _plain(number: int, source: str) -> str:
    """A candidate as plain C++ without its headers, with as many lines."""
    source = re.sub(r"^#include.*$", "", source, flags=re.M).replace('extern "C" ', "")
    source = source.replace("__device__ inline", "static")
    source = re.sub(r"extern __shared__ (.*?) (\w+)\[\];", r"\1* \2 = (\1*)light::dynamic_memory.data();", source)
    source = source.replace("__shared__", f'static __attribute__((section("shared_{number}")))')
    return _LAUNCH.sub(_launched, source)


def _part(number: int, pair: Pair) -> str:
    """Both programs in namespaces of their own."""
    source = _plain(number, pair.source)
    reference = re.sub(r"^#include.*$", "", pair.task.reference.source.text, flags=re.M)
    entry = pair.task.entry
    return "\n".join(
        [
            f"namespace reference_{number} {{\n{reference}",
            f"void call(void** places, void* result) {{ light::call({entry}, places, result); }}\n}}",
            f"namespace candidate_{number} {{\n{source}",
            f"void call(void** places, void* result) {{ light::call({entry}, places, result); }}\n}}",
        ]
    )


def _launched(match: re.Match[str]) -> str:
    name, configuration, arguments = match.groups()
    return f"light::launch({configuration}, [=] {{ {name}({arguments}); }});"


def _main(pairs: Sequence[Pair]) -> str:
    lines, declared = [], []
    for number, pair in enumerate(pairs):
        section = "light::shared_section = {nullptr, nullptr};"
        if "__shared__" in pair.source.replace("extern __shared__", ""):
            ends = f"__start_shared_{number}", f"__stop_shared_{number}"
            # Weak: a compiler leaves out a section whose variables nobody reads, and both ends are null then.
            declared.append(f"extern char {ends[0]}[] __attribute__((weak)), {ends[1]}[] __attribute__((weak));")
            section = f"light::shared_section = {{{ends[0]}, {ends[1]}}};"
        lines.append(section)
        for sizes in pair.task.check_sizes:
            parameters = ", ".join(_parameter(arg, pair.task, sizes) for arg in pair.task.parameters)
            shown = " ".join(f"{name}={value}" for name, value in sizes.items())
            calls = f"reference_{number}::call, candidate_{number}::call"
            lines.append(f'light::compare({number}, {calls}, {{{parameters}}}, "{shown}");')
        lines.append(f'printf("{number}: done\\n"); fflush(stdout);')
    return "\n".join([*declared, "int main() {", *lines, "}"])


def _parameter(arg: Arg, task: Task, sizes: dict[str, int]) -> str:
    kind = arg.dtype.kind
    letter, width = _LETTERS[kind, arg.dtype.size_bytes], arg.dtype.size_bytes
    if arg.kind is not ArgKind.ARRAY:
        value = sizes.get(arg.name, SCALAR)
        return f"{{'s', '{letter}', {width}, 1, {value}, {value}}}"
    low, high = _bounds(arg, task, sizes)
    rising = "true" if f"// init: {arg.name} = rising(" in task.reference.source.text else "false"
    role = "a" if any(arg.name == own.name for own in task.args) else "r"
    return f"{{'{role}', '{letter}', {width}, {arg.element_count(sizes)}, {low}, {high}, {rising}}}"


def _bounds(arg: Arg, task: Task, sizes: dict[str, int]) -> tuple[float, float]:
    """The range of an array's values; whole numbers stay below its end."""
    noted = re.search(rf"^// init: {arg.name} = (?:ints|rising)\((.*),(.*)\)$", task.reference.source.text, re.M)
    if noted:
        low, high = (Expression(text.strip()).evaluate(sizes) for text in noted.groups())
        return low, high
    return (-1, 1) if arg.dtype.is_float else (0 if arg.dtype.kind == "uint" else -10, 11)
