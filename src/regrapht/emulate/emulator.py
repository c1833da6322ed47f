"""CUDA C++ on a CPU: build a candidate, run it call by call, and say what its memory accesses did.

The candidate's text is rewritten to plain C++20 (`rewrite.py`), compiled against our own CUDA headers by g++ or clang (`build.py`), and run
by a prebuilt harness that keeps one fiber for each CUDA thread (`runtime/`). A checked build reports faults and modelled evidence, a plain
build only outputs. Neither gives a time.

Trust: the candidate is native code in the harness's own process. A hostile one could suppress or falsify its findings and its evidence.
What contains that: everything runs inside the sandbox; findings can only make a verdict worse; outputs are raw bytes that the parent
compares itself; evidence is only ever called modelled.
"""

import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from regrapht import settings
from regrapht.emulate import toolchain
from regrapht.emulate.build import BuildRefused, EmulatedProgram, build_program, require_building
from regrapht.emulate.disassembly import Disassembly
from regrapht.emulate.named_arrays import with_names
from regrapht.emulate.preprocessing import Preprocessed, preprocess
from regrapht.emulate.report import MAX_REPORT_BYTES, HostTraffic, read_report
from regrapht.errors import SchemaError
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Evidence, Finding
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.sandbox.wire import Exchange

__all__ = ["BuildRefused", "CallLimit", "EmulatedProgram", "EmulatedRun", "Emulator", "Schedule"]

REPORT = "report.json"
_NO_MEMORY = re.compile(r"^(the emulated device has no \d+ bytes left: \d+ of its \d+ are in use)$", re.MULTILINE)
REDUCED = "reduced_evidence"
"""The label of what clang built: wide accesses are seen in parts, without their alignment, and counts are further from a GPU's."""


class Schedule(StrEnum):
    """The order in which blocks, warps and lanes get their turn."""

    FORWARD = "forward"
    REVERSE = "reverse"
    RANDOM = "random"
    """Drawn from the seed, anew for every warp's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimit:
    """What each of a run's first `calls` may take of the processor's time. A run that never ends is over sooner so than by the limit of
    all calls together, and what else the machine does makes no difference."""

    cpu_s: float
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulatedRun:
    """What one run left besides the outputs in the exchange."""

    completed: Completed
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence | None, ...] = ()
    """One for each call of a checked build, None for a call that launched nothing or did not end; empty for a plain build."""
    partial: bool = False
    """Evidence of a whole program that did not come to a good end: it tells what had been done by then."""
    traffic: tuple[HostTraffic, ...] = ()
    """Of each call of a checked build that was begun."""
    keeps_state: bool = False
    """The program's own variables, of host and device, go on changing from call to call."""
    never_equal: frozenset[tuple[int, int | None]] = frozenset()
    """Of a run for the program's own arrays: lines with numbers that something was compared with there, and never was equal to; None for
    what is no constant."""
    never_taken: frozenset[int] = frozenset()
    """Of such a run: lines with a comparison that went one way alone."""
    out_of_memory: bool = False
    """Of a plain build that failed: the program asked for more memory than the emulated device has, which a GPU may have."""
    unsupported: str | None = None
    """What the program used at run time that cannot be emulated, or that its report is missing or damaged: then it is not checked."""


def device_memory_refused(run: EmulatedRun) -> str | None:
    """What the emulated device said when it had less memory than the program asked for; None where it had enough."""
    found = _NO_MEMORY.search(run.completed.stderr)
    return found[1] if found else None


class Emulator:
    """Builds and runs CUDA C++ without a GPU. Safe to use from several threads."""

    def __init__(self, sandbox: Sandbox, *, cache: Path | None = None) -> None:
        self._sandbox = sandbox
        self._cache = cache if cache is not None else settings.cache() / "emulate"
        self._programs: set[Path] = set()

    @property
    def programs(self) -> tuple[Path, ...]:
        """The emulator's own programs on disc that candidates were loaded by; nothing may change them."""
        return tuple(sorted(self._programs))

    def availability(self) -> tuple[bool, str, str]:
        """Whether this machine can emulate, else why not and what would mend it. Starts the compiler once."""
        if platform.system() != "Linux" or platform.machine() != "x86_64":
            return False, f"the emulator needs x86-64 Linux, this is {platform.machine()} {platform.system()}", ""
        problem = toolchain.problem_with_compiler(settings.cxx())
        if problem is not None:
            return False, problem, "install g++ 12 or newer and binutils, or name one (or clang 14 or newer) with CXX"
        return True, "", ""

    @property
    def labels(self) -> tuple[str, ...]:
        """What every verdict by this machine's compiler must carry."""
        return (REDUCED,) if toolchain.is_clang(settings.cxx()) else ()

    def make_ready(self) -> None:
        """Build what is built once on a machine, so that no judgement waits for it (half a minute the first time).

        Raises:
            EvaluatorUnavailable: No usable compiler, or the cache cannot be written.
        """
        toolchain.prepare(self._cache, checked=True)
        toolchain.prepare(self._cache, checked=False)
        if not toolchain.is_clang(settings.cxx()):
            toolchain.prepare(self._cache, checked=False, stacks=True)

    def build(self, source: str, task: Task, *, checked: bool, stacks: bool = False) -> EmulatedProgram | BuildRefused:
        """Compile a candidate for `task`.

        Args:
            source: CUDA C++ that defines the task's entry.
            task: Gives entry, signature and residency.
            checked: With memory checks and evidence, about ten times slower to run.
            stacks: With checks of the program's own arrays alone; by g++.

        Raises:
            EvaluatorUnavailable: No usable compiler, it builds nothing at all, or the sandbox does not start.
        """
        tools = toolchain.prepare(self._cache, checked=checked, stacks=stacks)
        self._programs.add(tools.harness)
        built = build_program(source, task, sandbox=self._sandbox, tools=tools)
        if (
            isinstance(built, BuildRefused) and built.names_no_line
        ):  # what is said of our own files is said of no candidate
            require_building(self._sandbox, tools)
            built = build_program(source, task, sandbox=self._sandbox, tools=tools)
        return built

    def preprocess(self, source: str) -> Preprocessed:
        """What the compiler makes of a candidate's directives, as `preprocess` says.

        Raises:
            EvaluatorUnavailable: No usable compiler, or the sandbox does not start.
        """
        return preprocess(source, sandbox=self._sandbox, tools=toolchain.prepare(self._cache, checked=True))

    def run(
        self,
        program: EmulatedProgram,
        exchange: Exchange,
        *,
        schedule: Schedule = Schedule.FORWARD,
        seed: int = 0,
        limits: Limits,
        sizes: Sequence[Sizes],
        call_limit: CallLimit | None = None,
        replay: tuple[int, int] | None = None,
        fresh: int | None = None,
        unwritten: Sequence[int] = (),
    ) -> EmulatedRun:
        """Run every call of `exchange` in one process; outputs are then read from `exchange`.

        Args:
            sizes: The sizes of each call, for the evidence's labels.
            call_limit: A call beyond it ends the run by SIGXCPU.
            replay: Two calls of the same sizes: whatever the second one's host code reads from the device, it is given what that of the
                first one got. Where arrays lie on the host, it gets the first one's, and what it sends of them arrives as the second one's.
                For `evaluate/memory/host_work.py`.
            fresh: What each word of memory holds which nobody has written, shared memory too. For `evaluate/memory/unused_values.py`.
            unwritten: Of a build for the program's own arrays: what local variables begin with that nobody gives a value, of these words
                another in each call. For `evaluate/memory/unwritten_values.py`.

        Raises:
            EvaluatorUnavailable: The sandbox did not start.
        """
        tools = toolchain.prepare(self._cache, checked=program.checked, stacks=program.stacks)
        argv = run_arguments(tools, program.constants, schedule=schedule, seed=seed, limits=limits)
        if call_limit is not None:
            argv += (f"--call-ms={int(1000 * call_limit.cpu_s)}", f"--limited-calls={call_limit.calls}")
        replayed = () if replay is None else (f"--record-call={replay[0]}", f"--replay-call={replay[1]}")
        filled = [*([] if fresh is None else [f"--fresh={fresh}"]), f"--locals={','.join(map(str, unwritten))}"]
        command = Command(
            argv=(*argv, f"--residency={program.residency.value}", *replayed, *filled),
            files={"candidate.so": program.library},
            collect=(REPORT,) if program.checked or program.stacks else (),
            collect_limit_bytes=MAX_REPORT_BYTES,
            read_only=(tools.folder,),
            descriptors=exchange.descriptors,
        )
        completed = self._sandbox.run(command, limits)
        if program.stacks:
            return checked_run(completed, program.disassembly, (), source=program.source)
        if not program.checked:
            refused = not completed.ok and _NO_MEMORY.search(completed.stderr) is not None
            return EmulatedRun(completed=completed, out_of_memory=refused)
        run = checked_run(completed, program.disassembly, sizes, source=program.source)
        return replace(run, findings=tuple(with_names(finding, program.arrays) for finding in run.findings))


def run_arguments(
    tools: toolchain.Toolchain, constants: Sequence[str], *, schedule: Schedule, seed: int, limits: Limits
) -> tuple[str, ...]:
    """The harness's command line for `candidate.so`, whatever is in it."""
    return (
        str(tools.harness),
        "candidate.so",
        f"--schedule={schedule.value}",
        f"--seed={seed % 2**63}",
        f"--report={REPORT}",
        f"--warn-after-ms={max(1, int(limits.wall_s * 800))}",
        f"--heap-bytes={limits.memory_bytes}",
        f"--constants={','.join(constants)}",
    )


def checked_run(
    completed: Completed,
    disassembly: Disassembly,
    sizes: Sequence[Sizes],
    *,
    source: str,
    accept_partial: bool = False,
) -> EmulatedRun:
    """What a checked run reported, one evidence for each of `sizes`; of a call that did not end only with `accept_partial`."""
    empty = (None,) * len(sizes)
    raw = completed.files.get(REPORT)
    if raw is None:
        lost = "the checked run left no report" if completed.ok else None
        return EmulatedRun(completed=completed, evidence=empty, unsupported=lost)
    try:
        report = read_report(raw, disassembly, sizes, source=source, accept_partial=accept_partial)
    except SchemaError as error:  # the child's own file: what cannot be read is a fault of the candidate's process
        return EmulatedRun(completed=completed, evidence=empty, unsupported=f"unreadable report: {error}")
    return EmulatedRun(
        completed=completed,
        findings=report.findings,
        evidence=report.evidence,
        partial=report.partial and accept_partial,
        traffic=report.traffic,
        keeps_state=report.keeps_state,
        never_equal=report.never_equal,
        never_taken=report.never_taken,
        unsupported=report.unsupported,
    )
