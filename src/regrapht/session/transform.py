"""The transform engine for a person: a function to CUDA by rules that the person names, and what every rule says of it."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.assemble import open_observer, open_task
from regrapht.errors import ConfigError, SchemaError
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate
from regrapht.records.task import Task
from regrapht.records.user_code import NO_FLAGS, BuildFlags
from regrapht.session.refusal import naming_file, reference_file
from regrapht.source.user_file import as_text, fault_of_text, read_file
from regrapht.transform import (
    Decision,
    DoesNotApply,
    Engine,
    LoopAnswer,
    RuleAnswer,
    RunTimeTest,
    decisions_from_json,
    decisions_to_json,
    explain,
    loop_answers,
    read_steps,
    run_time_test,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformRequest:
    """What a user asks for."""

    path: Path
    entry: str | None = None
    flags: BuildFlags = NO_FLAGS
    """How a file of a project is compiled."""
    rules: str | None = None
    """Such as `map2d,tile:32,unroll:4`; applied after `decisions`. Without either, rules may give threads to the main work."""
    decisions: Path | None = None
    """A file with decisions, alone or under the key `decisions`; `-` reads standard input."""
    proved: bool = False
    """Whether what is observed or promised does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformed:
    """A program that the engine made, and the decisions that make it again."""

    task: Task
    guesses: tuple[str, ...]
    decisions: tuple[Decision, ...]
    candidate: Candidate
    engine: Engine

    @property
    def source(self) -> str:
        assert self.candidate.source is not None
        return self.candidate.source

    def as_plain(self) -> dict[str, object]:
        """For `--json`; goes back in as `--from`."""
        return {
            "task": self.task.id,
            "entry": self.task.entry,
            "techniques": list(self.candidate.techniques),
            "in_one_thread": self.candidate.one_thread,
            "independence": self.candidate.independence,
            "decisions": json.loads(decisions_to_json(self.decisions)),
            "source": self.source,
        }


def transform_file(request: TransformRequest) -> Transformed:
    """The function at `request.path` as CUDA.

    Raises:
        UserFixable: The task, a name or a value is wrong, or a rule does not apply; the message says which and why.
        CannotTransform: The engine does not take the function; says file, line, reason and what would help.
    """
    opened = open_task(request.path, entry=request.entry, flags=request.flags)
    return transform_task(opened.task, request, guesses=opened.guesses)


def transform_task(task: Task, request: TransformRequest, *, guesses: tuple[str, ...] = ()) -> Transformed:
    """As `transform_file`, for a task that is open."""
    steps = read_steps(request.rules or "")
    with naming_file(request.path, task):
        try:
            given = read_decisions(request.decisions) if request.decisions is not None else ()
            engine = Engine(open_observer(), proved=request.proved)
            decisions = engine.follow(task, steps, given)
            if not steps and not given:
                decisions = engine.with_threads(task, decisions)
            candidate = TransformProposer(observer=open_observer(), proved=request.proved).rebuild(task, decisions)
        except DoesNotApply as error:
            raise ConfigError(str(error)) from error
    return Transformed(task=task, guesses=guesses, decisions=decisions, candidate=candidate, engine=engine)


def explain_rules(transformed: Transformed) -> list[RuleAnswer]:
    """What every rule says of the program, in the order in which rules are offered; lines are those of the user's files."""
    answers, home = explain(transformed.task, transformed.decisions), transformed.task.home
    if home is None:
        return answers
    return [one if one.why_not is None else replace(one, why_not=home.in_own_lines(one.why_not)) for one in answers]


def explain_loops(transformed: Transformed) -> list[LoopAnswer]:
    """What is known of each loop that the program launches, or runs in one thread; lines are those of the user's files."""
    answers = loop_answers(transformed.engine, transformed.task, transformed.decisions, meetings=True)
    home = transformed.task.home
    if home is None:
        return answers
    found = []
    for one in answers:
        file, line = home.where(one.line)
        found.append(replace(one, file=Path(file).name, line=line, how=home.in_own_lines(one.how)))
    return found


def explain_test(transformed: Transformed) -> RunTimeTest | None:
    """What the program tests before it starts threads; None where it tests nothing. Lines are those of the user's files."""
    test, home = run_time_test(transformed.task, transformed.decisions), transformed.task.home
    if test is None or home is None:
        return test
    return replace(test, lines=tuple(home.where(line)[1] for line in test.lines))


def write_program(transformed: Transformed, request: TransformRequest, out: Path) -> None:
    """Write the program to `out`.

    Raises:
        ConfigError: It cannot be written there, or would replace the reference.
    """
    reference = reference_file(request.path, transformed.task)
    if out.exists() and reference.exists() and out.samefile(reference):
        raise ConfigError(f"{out} is the reference itself; name another file with -o")
    try:
        out.write_text(transformed.source.rstrip("\n") + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}; name another file with -o") from error


def read_decisions(file: Path) -> tuple[Decision, ...]:
    """The decisions in a file: what `--json` printed, or its `decisions` alone.

    Raises:
        ConfigError: The file cannot be read.
        SchemaError: It holds no decisions.
    """
    text = read_text(file)
    try:
        plain = json.loads(text)
    except ValueError as error:
        raise SchemaError(f"{file}: not JSON: {error}; give what 'regrapht transform --json' prints") from error
    if isinstance(plain, dict) and "decisions" in plain:
        plain = plain["decisions"]
    try:
        return decisions_from_json(json.dumps(plain))
    except SchemaError as error:
        raise SchemaError(f"{file}: {error}; give what 'regrapht transform --json' prints") from error


def read_text(file: Path) -> str:
    """The text of a user's file; `-` is standard input.

    Raises:
        ConfigError: It cannot be read.
    """
    import sys

    if str(file) == "-":
        return sys.stdin.read()
    raw = read_file(file)
    if (fault := fault_of_text(raw)) is not None:
        raise ConfigError(f"cannot read {file}: {fault}")
    return as_text(raw)
