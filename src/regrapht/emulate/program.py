"""Whole CUDA programs with a `main` of their own: built and run like a candidate, but with their own inputs, output and exit status."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regrapht import settings
from regrapht.emulate import toolchain
from regrapht.emulate.build import (
    BUILD_LIMITS,
    BUILD_OUTPUTS,
    SOURCE_NAME,
    UNIT_NAME,
    BuildRefused,
    build_script,
    built_or_refused,
)
from regrapht.emulate.disassembly import Disassembly
from regrapht.emulate.emulator import REPORT, EmulatedRun, Schedule, checked_run, run_arguments
from regrapht.emulate.front_end import reads, run_build
from regrapht.emulate.headers import with_own_headers
from regrapht.emulate.report import MAX_REPORT_BYTES
from regrapht.emulate.toolchain import UMBRELLA, Toolchain
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Limits, Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeProgram:
    """A built program with a `main`."""

    checked: bool
    source: str = field(repr=False)
    library: bytes = field(repr=False)
    disassembly: Disassembly = field(repr=False, compare=False)
    constants: tuple[str, ...]
    tools: Toolchain


def cuda_sources(source: str, file: Path, include: Sequence[Path] = ()) -> dict[str, bytes]:
    """The program and its own headers under plain names, as a real CUDA compiler takes them."""
    _, headers = with_own_headers(source, file, include)
    return {**headers.plain, SOURCE_NAME: f'#line 1 "{SOURCE_NAME}"\n{headers.source}'.encode()}


def build_whole(
    source: str,
    file: Path,
    *,
    sandbox: Sandbox,
    checked: bool,
    stacks: bool = False,
    include: Sequence[Path] = (),
    cache: Path | None = None,
) -> WholeProgram | BuildRefused:
    """Compile a program with a `main`.

    Args:
        stacks: Check the program's own arrays alone.
        file: Where `source` comes from: headers are looked for beside it.
        include: Further folders with headers of its own, as `-I` of a compiler.

    Raises:
        EvaluatorUnavailable: No usable compiler, or the sandbox does not start.
    """
    tools = toolchain.prepare(
        cache if cache is not None else settings.cache() / "emulate", checked=checked, stacks=stacks
    )
    rewritten, headers = with_own_headers(source, file, include)
    if rewritten.refusals:
        said = "; ".join(f"{refusal.feature} (line {refusal.line})" for refusal in rewritten.refusals)
        return BuildRefused(status=Status.UNSUPPORTED, message=f"the emulator cannot run {said}")
    unit = (
        f'#include "{UMBRELLA}"\n'
        'extern "C" void* __dso_handle __attribute__((visibility("hidden"))) = &__dso_handle;\n'
        f'#line 1 "{SOURCE_NAME}"\n{rewritten.text}\n'
    )
    command = Command(
        argv=("/bin/sh", "build.sh"),
        files={
            **headers.files,
            SOURCE_NAME: source.encode(),
            UNIT_NAME: unit.encode(),
            "build.sh": build_script(tools, whole=True).encode(),
        },
        collect=BUILD_OUTPUTS,
        read_only=(tools.folder,),
        environment={"LC_ALL": "C"},
    )
    done, beyond = run_build(sandbox, command, BUILD_LIMITS, reading=reads(tools, (), UNIT_NAME))
    completed = built_or_refused(beyond or done, "main", "int main(int argc, char** argv)")
    if isinstance(completed, BuildRefused):
        return completed
    listing = completed.files.get("listing", b"").decode(errors="replace")
    return WholeProgram(
        checked=checked,
        source=source,
        library=completed.files["candidate.so"],
        disassembly=Disassembly(listing, SOURCE_NAME, UNIT_NAME),
        constants=(*rewritten.constants, *headers.constants),
        tools=tools,
    )


def run_whole(
    program: WholeProgram,
    arguments: Sequence[str],
    *,
    sandbox: Sandbox,
    schedule: Schedule = Schedule.FORWARD,
    seed: int = 0,
    limits: Limits,
) -> EmulatedRun:
    """Call the program's `main` once with `arguments`. What it printed and its exit status are in the answer's `completed`.

    Raises:
        EvaluatorUnavailable: The sandbox did not start.
    """
    argv = run_arguments(program.tools, program.constants, schedule=schedule, seed=seed, limits=limits)
    command = Command(
        argv=(*argv, "--main", "--", *arguments),
        files={"candidate.so": program.library},
        collect=(REPORT,) if program.checked or program.tools.stacks else (),
        collect_limit_bytes=MAX_REPORT_BYTES,
        read_only=(program.tools.folder,),
    )
    completed = sandbox.run(command, limits)
    if not (program.checked or program.tools.stacks):
        return EmulatedRun(completed=completed)
    return checked_run(completed, program.disassembly, [{}], source=program.source, accept_partial=True)
