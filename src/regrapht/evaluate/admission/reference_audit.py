"""A reference under its compiler's sanitizers: undefined behaviour, accesses outside arrays, variables that were never set.

The judge leaves out widened cases that the reference cannot take; the declared ones it must take, or there is no right answer to compare
with. Two builds of the harness's arrays against inaccessible pages, one at each end, find what the sanitizers do not see.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from regrapht import settings
from regrapht.emulate.emulator import BuildRefused, Emulator
from regrapht.evaluate.admission.findings import Audit, Rule, TaskFinding, error, warning
from regrapht.evaluate.build.compile import Built, build, cached_program, harness_source, wire_header
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.inputs.drawing import as_call, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.endings import ending_of
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.memory.findings import errors_of
from regrapht.evaluate.reference.expected import Trial
from regrapht.evaluate.reference.source import Variant, unit
from regrapht.records.task import Task
from regrapht.records.verdict import Status
from regrapht.sandbox.compiler_folder import library_path
from regrapht.sandbox.sandbox import Command, Completed, Limits, Sandbox
from regrapht.sandbox.wire import Exchange

_SANITIZERS = (
    *("-g1", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize=vptr", "-fno-sanitize-recover=all"),
    # Hashes that overflow a signed integer and reads of packed bytes are common and mean what they seem to: told, not refused.
    "-fsanitize-recover=signed-integer-overflow,alignment",
)
_UNSET = "-ftrivial-auto-var-init=pattern"
"""Variables that are never set hold a pattern, so that their values show in the outputs."""
_LIMITS = Limits(wall_s=60, memory_bytes=8 * 2**30, output_bytes=2**16)
_OPTIONS = b"""extern "C" const char* __asan_default_options() {
    return "detect_leaks=0:max_malloc_fill_size=1073741824:malloc_fill_byte=203:allocator_may_return_null=1";
}
"""
_FATAL = re.compile(r"SUMMARY: (AddressSanitizer: .*)")
_NOTED = re.compile(r"\S+: runtime error: .*")


def audit_reference(oracle: Oracle, sandbox: Sandbox, trials: Sequence[Trial]) -> Audit:
    """Run the reference on `trials` under everything that looks for faults in its language.

    Raises:
        EvaluatorUnavailable: The sandbox does not start.
    """
    suffix = oracle.task.reference.source.suffix
    if suffix == ".py":
        return Audit(unchecked=("memory errors: a Python reference is not looked into",))
    if suffix == ".cu":
        return _emulated(oracle, sandbox, trials)
    return _sanitized(oracle, sandbox, trials)


def _sanitized(oracle: Oracle, sandbox: Sandbox, trials: Sequence[Trial]) -> Audit:
    task = oracle.task
    built = _compile(task, sandbox)
    if built.content is None:
        return Audit(unchecked=(f"sanitizers: the reference does not build with them: {built.first_error}",))
    noted: list[str] = []
    for side in ("right", "left"):
        with Exchange(task.parameters, [as_call(task, trial.inputs) for trial in trials]) as exchange:
            command = Command(
                argv=("./harness", "./reference.so", side),
                files={"harness": _harness(sandbox), "reference.so": built.content},
                descriptors=exchange.descriptors,
            )
            completed = sandbox.run(command, _LIMITS)
            if not (completed.ok and exchange.completed):
                call = next((i for i in range(len(trials)) if not exchange.output(i).done), len(trials) - 1)
                return _failed(completed, shape_text(trials[call].inputs.case.sizes))
            noted += _NOTED.findall(completed.stderr)
            outputs = [read_outputs(task, exchange, i) for i in range(len(trials))]
        differs = _compared(oracle, trials, outputs)
        if differs is not None:
            return Audit(findings=(differs,))
    told = "; ".join(_tidy(line) for line in dict.fromkeys(noted))
    if not told:
        return Audit()
    return Audit(
        findings=(
            warning(
                Rule.RISKY_ARITHMETIC,
                f"{told}. A CUDA compiler need not do what this one does there: compute in an unsigned type, or copy unaligned bytes",
            ),
        )
    )


def _failed(completed: Completed, where: str) -> Audit:
    """A run that did not come to its end: a fault where a sanitizer says which, else something that could not be looked at."""
    fatal, noted = _FATAL.search(completed.stderr), _NOTED.findall(completed.stderr)
    if fatal is None and not noted:
        said = completed.stderr.strip().splitlines()
        why = f"{ending_of(completed, _LIMITS.wall_s)}{f': {said[0][:200]}' if said else ''}"
        return Audit(unchecked=(f"sanitizers: the reference under them {why}, at {where}",))
    told = _tidy(fatal[1] if fatal is not None else noted[-1])
    if "SEGV" in told:
        told = f"{told}, an access outside an array"
    return Audit(
        findings=(
            error(
                Rule.UNDEFINED_BEHAVIOUR,
                f"{told}, at {where}: mend the reference, or correct the shape of the array or the init of what indexes it",
            ),
        )
    )


def _tidy(line: str) -> str:
    """A report without the scratch folder and the column."""
    return re.sub(r"(\w+\.\w+:\d+):\d+:", r"\1:", line.replace("/scratch/", "")).strip()


def _compared(oracle: Oracle, trials: Sequence[Trial], outputs: Sequence[dict[str, Array]]) -> TaskFinding | None:
    """The finding where the sanitized build changes an input or gives other outputs."""
    for trial, got in zip(trials, outputs, strict=True):
        sizes = trial.inputs.case.sizes
        compared = compare_case(oracle.task, trial.inputs, trial.expected, got, tolerances=oracle.tolerances(sizes))
        if compared.status is Status.INPUT_MODIFIED:
            return error(
                Rule.CHANGED_INPUT,
                f'{compared.what} by the reference, at {shape_text(sizes)}: say role = "inout", or let it work on a copy',
            )
        if compared.status is not None:
            return error(
                Rule.UNSTABLE_REFERENCE,
                f"the reference gives another result when it is compiled without optimisation, and variables and memory that it never "
                f"set hold a pattern ({compared.what}, at {shape_text(sizes)}): set all variables before they are read",
            )
    return None


def _compile(task: Task, sandbox: Sandbox) -> Built:
    parts = unit(task, task.reference.source, Variant.AS_WRITTEN)
    # Any optimisation may reason from a variable that is never set, instead of reading the pattern.
    flags = (*parts.flags, "-O0", *_SANITIZERS, _UNSET)
    argv = (settings.cxx(), "-x", parts.compiler_language, *flags, "-o", "reference.so", parts.main, "-lm")
    folders = tuple(Path(folder) for folder in task.reference.include)
    return build(sandbox, argv, parts.files, output="reference.so", read_only=folders)


def _harness(sandbox: Sandbox) -> bytes:
    """The program that runs references, with the sanitizers' run-time in it."""
    argv = (
        settings.cxx(),
        "-O1",
        "-std=c++17",
        *_SANITIZERS,
        *library_path(settings.cxx()),
        "-o",
        "harness",
        "cpu_harness.cpp",
        "options.cpp",
        "-ldl",
    )
    sources = {"cpu_harness.cpp": harness_source("cpu_harness.cpp"), "wire.h": wire_header(), "options.cpp": _OPTIONS}
    return cached_program(sandbox, argv, sources, output="harness")


def _emulated(oracle: Oracle, sandbox: Sandbox, trials: Sequence[Trial]) -> Audit:
    """A CUDA reference in the emulator's checked build."""
    task, emulator = oracle.task, Emulator(sandbox)
    program = emulator.build(task.reference.source.text, task, checked=True)
    if isinstance(program, BuildRefused):
        return Audit(
            unchecked=(f"memory errors: the reference does not build in the checked emulator: {program.message}",)
        )
    with Exchange(task.parameters, [as_call(task, trial.inputs) for trial in trials]) as exchange:
        sizes = [trial.inputs.case.sizes for trial in trials]
        run = emulator.run(program, exchange, limits=_LIMITS, sizes=sizes)
        faults = errors_of(run.findings)
        if faults:
            line = f" in line {faults[0].line}" if faults[0].line is not None else ""
            message = f"{faults[0].kind}{line}: {faults[0].message}; mend the reference"
            return Audit(findings=(error(Rule.UNDEFINED_BEHAVIOUR, message),))
        if run.unsupported is not None or not (run.completed.ok and exchange.completed):
            why = run.unsupported or ending_of(run.completed, _LIMITS.wall_s)
            return Audit(unchecked=(f"memory errors: the reference in the checked emulator {why}",))
        outputs = [read_outputs(task, exchange, i) for i in range(len(trials))]
    differs = _compared(oracle, trials, outputs)
    return Audit(findings=(differs,) if differs is not None else ())
