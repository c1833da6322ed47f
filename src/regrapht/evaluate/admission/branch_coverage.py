"""Which branches of a reference no draw ever takes: what is computed there is not tested, and a candidate may leave it out.

The compiler counts them (gcov). It has no branch where it makes arithmetic of `x < 0 ? 1 : 0`, so that such choices are spelled out first.
Conditions that hang on sizes and constants alone are left out: what a size may be is the task's to say.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from regrapht import settings
from regrapht.errors import InvalidTask
from regrapht.evaluate.admission.findings import Audit, Rule, warning
from regrapht.evaluate.build.compile import cpu_harness
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.inputs.drawing import Inputs, as_call
from regrapht.evaluate.judgement.endings import ending_of
from regrapht.evaluate.reference.expected import Trial
from regrapht.evaluate.reference.source import Variant, unit
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.sandbox.wire import Exchange

_LIMITS = Limits(wall_s=60, memory_bytes=8 * 2**30, output_bytes=2**23)
_OBJECT, _COUNTS = "reference.so", "reference.so-unit"
_MOST_LINES, _MOST_TEXT = 6, 60
_NAME = re.compile(r"[A-Za-z_]\w*(?=\s*\.)|(?<![\w.])[A-Za-z_]\w*")
_NO_DATA = frozenset(
    (
        *(
            "if",
            "else",
            "while",
            "for",
            "do",
            "return",
            "switch",
            "case",
            "default",
            "break",
            "continue",
            "const",
            "auto",
        ),
        *(
            "int",
            "long",
            "short",
            "unsigned",
            "signed",
            "size_t",
            "bool",
            "true",
            "false",
            "static_cast",
            "sizeof",
            "assert",
        ),
        *("int32_t", "int64_t", "uint32_t", "uint64_t"),
    )
)
_ENTRY = "REGRAPHT_LINKAGE void regrapht_call("
_BEFORE, _AFTER = b"({ int regrapht_c; if (", b") regrapht_c = 1; else regrapht_c = 0; regrapht_c; })"
_DUMP = """
#ifdef __cplusplus
extern "C"
#endif
void __gcov_dump(void);
#ifdef __cplusplus
extern "C"
#endif
void __gcov_reset(void);
REGRAPHT_LINKAGE void regrapht_call(void** arguments) { regrapht_inner(arguments); __gcov_dump(); __gcov_reset(); }
"""


def examine_branches(oracle: Oracle, sandbox: Sandbox, trials: Sequence[Trial]) -> Audit:
    """Run the reference on `trials` and on the judge's own cases, and tell the lines whose condition always goes one way.

    Raises:
        EvaluatorUnavailable: The sandbox does not start.
    """
    task = oracle.task
    if task.reference.source.suffix in (".py", ".cu"):
        return Audit(unchecked=("branches: those of a C or C++ reference alone are counted",))
    try:
        own = [trial.inputs for trial in oracle.trials(oracle.cases(Level.FULL))]
    except InvalidTask:  # has its own finding
        own = []
    counted = _counted(task, sandbox, [*(trial.inputs for trial in trials), *own])
    if isinstance(counted, str):
        return Audit(unchecked=(f"branches: {counted}",))
    text = task.reference.source.text.splitlines()
    lines = [
        number for number in one_way(counted) if 0 < number <= len(text) and _hangs_on_data(text[number - 1], task)
    ]
    if not lines:
        return Audit()
    told = [f"line {number}, `{text[number - 1].strip()[:_MOST_TEXT]}`" for number in lines[:_MOST_LINES]]
    more = f", and {len(lines) - len(told)} more" if len(lines) > len(told) else ""
    return Audit(
        findings=(
            warning(
                Rule.UNTAKEN_BRANCH,
                f"no draw takes every branch of {'; '.join(told)}{more}: a candidate may leave out what is done there. Widen the init of "
                "what decides there, both signs and the ends of the type included, or add check sizes",
            ),
        )
    )


def one_way(lines: Sequence[dict]) -> list[int]:
    """The lines that were reached and have a branch that was never taken; those of exceptions do not count."""
    found = []
    for line in lines:
        branches = [branch for branch in line.get("branches", ()) if not branch.get("throw")]
        if line["count"] > 0 and len(branches) > 1 and any(branch["count"] == 0 for branch in branches):
            found.append(int(line["line_number"]))
    return sorted(set(found))


def _hangs_on_data(text: str, task: Task) -> bool:
    code = re.sub(r"//.*|/\*.*?\*/", "", text)
    names = set(_NAME.findall(code)) - _NO_DATA
    return bool(names - set(task.size_names))


def _counted(task: Task, sandbox: Sandbox, inputs: Sequence[Inputs]) -> list[dict] | str:
    """What gcov says of the reference's own lines, or why it cannot."""
    compiler = Path(settings.cxx())
    gcov = gcov_of(compiler)
    if gcov is None:
        return f"there is no gcov for {compiler.name} on this machine"
    made = _with_counters(task, sandbox, compiler, chosen=True) or _with_counters(task, sandbox, compiler, chosen=False)
    if made is None:
        return "the reference does not build with counters"
    with Exchange(task.parameters, [as_call(task, one, return_inputs=False) for one in inputs]) as exchange:
        ran = sandbox.run(
            Command(
                argv=("./harness", f"./{_OBJECT}", "right"),
                files={"harness": cpu_harness(sandbox), _OBJECT: made[_OBJECT]},
                descriptors=exchange.descriptors,
                environment={"GCOV_PREFIX": ".", "GCOV_PREFIX_STRIP": "99"},
                collect=(f"{_COUNTS}.gcda",),
            ),
            _LIMITS,
        )
    if not ran.ok or f"{_COUNTS}.gcda" not in ran.files:
        return f"the reference with counters {ending_of(ran, _LIMITS.wall_s)}"
    return _read(sandbox, gcov, {f"{_COUNTS}.gcno": made[f"{_COUNTS}.gcno"], **ran.files}, task)


def _with_counters(task: Task, sandbox: Sandbox, compiler: Path, *, chosen: bool) -> Mapping[str, bytes] | None:
    """The reference with counters, and what gcov needs to read them; None where it does not build so.

    Args:
        chosen: Whether choices are spelled out, which the language does not take everywhere.
    """
    source = task.reference.source
    parts = unit(task, replace(source, text=spelled_out(source.text)) if chosen else source, Variant.AS_WRITTEN)
    main = parts.files[parts.main].decode().replace(_ENTRY, "static void regrapht_inner(") + _DUMP
    flags = (*parts.flags, "-O0", "--coverage", "-o", _OBJECT)
    argv = (str(compiler), "-x", parts.compiler_language, *flags, parts.main, "-lm")
    command = Command(
        argv=argv,
        files={**parts.files, parts.main: main.encode()},
        collect=(_OBJECT, f"{_COUNTS}.gcno"),
        read_only=tuple(Path(folder) for folder in task.reference.include),
    )
    made = sandbox.run(command, _LIMITS)
    return made.files if made.ok and f"{_COUNTS}.gcno" in made.files else None


def spelled_out(text: str) -> str:
    """The text with every condition of a choice `a ? b : c` as a statement that branches; lines stay where they are."""
    from regrapht.source.syntax import parse, walk

    conditions = [
        node.child_by_field_name("condition") for node in walk(parse(text)) if node.type == "conditional_expression"
    ]
    places = [(node.start_byte, 1, _BEFORE) for node in conditions if node is not None]
    places += [(node.end_byte, 0, _AFTER) for node in conditions if node is not None]
    data = text.encode()
    for place, _, inserted in sorted(places, reverse=True):  # at one place an end comes before a start
        data = data[:place] + inserted + data[place:]
    return data.decode()


def gcov_of(compiler: Path) -> str | None:
    """The gcov that reads what this compiler counts: beside it, else by its name on the path; None for clang and where there is none."""
    if "g++" not in compiler.name or "clang" in compiler.name:
        return None
    name = compiler.name.replace("g++", "gcov")
    return shutil.which(name, path=str(compiler.parent)) or shutil.which(name)


def _read(sandbox: Sandbox, gcov: str, files: dict[str, bytes], task: Task) -> list[dict] | str:
    argv = (gcov, "--branch-probabilities", "--json-format", "--stdout", f"{_COUNTS}.gcda")
    told = sandbox.run(Command(argv=argv, files=files), _LIMITS)
    try:
        counted = json.loads(told.stdout)
        name = "reference" + task.reference.source.suffix
        return [line for file in counted["files"] if Path(file["file"]).name == name for line in file["lines"]]
    except (ValueError, KeyError, TypeError):
        return f"{gcov} gives no counts"
