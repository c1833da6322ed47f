"""For each rule: whether it applies to a task's program, with which parameters, what it does, and if it does not apply, why not."""

from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.records.task import Task
from regrapht.transform.engine import LOCK, Engine, one_thread_loops, run_time_condition
from regrapht.transform.plan.analysis import Program, loops_at
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.reasons import of_unknown_turns
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules import PLAIN, RULES
from regrapht.transform.rules.application import choices, reason_against
from regrapht.transform.rules.decisions import Decision, shown
from regrapht.transform.rules.rule import Parameter, Rule
from regrapht.transform.rules.steps import comes_after, short_name
from regrapht.transform.verbatim import steps as verbatim_steps
from regrapht.transform.verbatim.independence import Label
from regrapht.transform.verbatim.program import Verbatim
from regrapht.transform.verbatim.steps import is_verbatim
from regrapht.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterAnswer:
    """One parameter of a rule, with its values in the order of attempts."""

    name: str
    values: tuple[str, ...]
    fitting: tuple[str, ...]
    """Those with which the rule applies to the program; empty where it does not apply at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAnswer:
    """What one rule says of a program."""

    rule: str
    """The technique's slug."""
    short: str
    """A name to type."""
    title: str
    condition: str
    explanation: str
    parameters: tuple[ParameterAnswer, ...]
    applies: bool
    nests: tuple[int, ...]
    """Those that it applies to, counted from 1."""
    why_not: str | None
    comes_after: str | None
    """The rule to apply first, where that makes this one apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimeTest:
    """What a program tests before it starts threads."""

    condition: str
    """As C."""
    because: str
    """What is so where it holds, as a clause."""
    lines: tuple[int, ...]
    """Of the reference's loops that one thread runs where it does not hold; without any, threads update by atomics then."""

    @property
    def otherwise(self) -> str:
        """What happens where it does not hold, as a clause."""
        return f"one thread runs {loops_at(self.lines)}" if self.lines else "threads update by atomics"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopAnswer:
    """What is known of one loop of the reference."""

    line: int
    label: str
    """`proved`, `observed`, `promised`, or `one thread`."""
    how: str
    """What that rests on, or what is in the way of threads."""
    file: str | None = None
    """The user's file that the line is of, where the function was taken out of a project."""


ONE_THREAD = "one thread"


def loop_answers(
    engine: Engine, task: Task, decisions: tuple[Decision, ...] = (), *, meetings: bool = False
) -> list[LoopAnswer]:
    """The loops that the task's program launches or runs in one thread, in the order of the text.

    Args:
        decisions: What makes the program; rules may give threads to what the plain mapping runs in one.
        meetings: Whether loops without threads are watched too, so that it can be said which two turns met where.

    Raises:
        CannotTransform: The engine cannot take the task.
    """
    with LOCK:
        if not engine.keeps_bodies(task):
            program = engine.program(task, () if is_verbatim(decisions) else decisions)
            serial = any(n.kind is Kind.SERIAL for n in program.nests)
            met = engine.met(task) if serial and meetings else {}
            found = [_of_nest(nest, program.schedules.get(nest.number), met) for nest in program.nests]
            outside = one_thread_loops(program.analysis.plan)
            found += [LoopAnswer(line=one.line, label=ONE_THREAD, how=of_unknown_turns(one)) for one in outside]
            return sorted(found, key=lambda one: one.line)
        return _of_verbatim(engine.verbatim(task), engine.refusal(task))


_ORDERED = {
    Layout.SCAN: "by running values, which blocks find in parts",
    Layout.WAVE: "by its subscripts, in a skewed order",
    Layout.EXTREME: "by its form: the place of an extreme value",
    Layout.LIBRARY: "by its form, which a library computes",
}
"""What turns with an order among them got threads by."""


def _of_nest(nest: Nest, schedule: Schedule | None, met: Mapping[int, str]) -> LoopAnswer:
    if nest.kind is not Kind.SERIAL:
        return LoopAnswer(line=nest.line, label="proved", how="by its subscripts and bounds")
    if schedule is not None and schedule.layout in _ORDERED:
        return LoopAnswer(line=nest.line, label="proved", how=_ORDERED[schedule.layout])
    return LoopAnswer(line=nest.line, label=ONE_THREAD, how=f"{nest.why_serial}{_met(met, nest.line)}")


def _met(met: Mapping[int, str], line: int) -> str:
    return f"; watched, {met[line]}" if line in met else ""


def _of_verbatim(program: Verbatim, refusal: CannotTransform | None) -> list[LoopAnswer]:
    why = str(refusal).splitlines()[0] if refusal is not None else "by proofs alone it has no threads"
    found = []
    for turns in program.launched:
        seen = turns.seen
        if turns.label is Label.PROVED:
            found.append(LoopAnswer(line=program.line(turns.loop), label=turns.label.value, how="by its subscripts"))
            continue
        how = "by a pragma" if turns.label is Label.PROMISED else ""
        if seen is not None and program.observations is not None:
            looked = f"{counted(program.observations.inputs, 'input')}, {counted(seen.turns, 'turn')}"
            how += f"{', and ' if how else ''}on {looked}, up to {seen.most_turns} at a time"
        found.append(
            LoopAnswer(line=program.line(turns.loop), label=turns.label.value, how=f"{how}; not proved: {why}")
        )
    found += [LoopAnswer(line=one.line, label=ONE_THREAD, how=one.reason) for one in program.serial]
    return sorted(found, key=lambda one: one.line)


def run_time_test(task: Task, decisions: tuple[Decision, ...]) -> RunTimeTest | None:
    """What the program that `decisions` make of `task` tests; None where it tests nothing.

    Raises:
        CannotTransform: The engine cannot take the task.
        DoesNotApply: A decision does not apply where it stands.
    """
    if is_verbatim(decisions):
        return None
    with LOCK:
        program = Engine().program(task, decisions)
        guard, condition = program.analysis.guard, run_time_condition(program)
        if guard is None or condition is None:
            return None
        return RunTimeTest(condition=condition, because=guard.because, lines=guard.lines)


def explain(task: Task, decisions: tuple[Decision, ...]) -> list[RuleAnswer]:
    """The answers of all rules to the program that `decisions` make of `task`, in the order in which rules are offered.

    Raises:
        CannotTransform: The engine cannot take the task.
        DoesNotApply: A decision does not apply where it stands.
    """
    if is_verbatim(decisions):
        return [_answer_of_verbatim(decisions, rule) for rule in RULES if rule.slug != PLAIN]
    with LOCK:
        program = Engine().program(task, decisions)
        return [_answer(program, rule) for rule in RULES]


def _answer(program: Program, rule: Rule) -> RuleAnswer:
    found = choices(program, rule)
    reason = None if found else reason_against(program, rule)
    parameters = tuple(
        ParameterAnswer(
            name=parameter.name,
            values=tuple(map(shown, parameter.values)),
            fitting=tuple(dict.fromkeys(shown(choice.decision.parameters[parameter.name]) for choice in found)),
        )
        for parameter in rule.parameters
    )
    needed = comes_after(program, rule) if reason is not None else None
    return RuleAnswer(
        rule=rule.slug,
        short=short_name(rule),
        title=rule.title,
        condition=rule.condition,
        explanation=rule.explanation,
        parameters=parameters,
        applies=reason is None,
        nests=tuple(sorted({nest for choice in found for nest in choice.decision.nests})),
        why_not=reason,
        comes_after=needed.slug if needed is not None else None,
    )


def _answer_of_verbatim(decisions: tuple[Decision, ...], rule: Rule) -> RuleAnswer:
    """What a rule says of a program that keeps the bodies as they are written."""
    found = verbatim_steps.choices(decisions, rule.slug)
    parameters = tuple(
        ParameterAnswer(
            name=parameter.name,
            values=tuple(map(shown, parameter.values)),
            fitting=tuple(shown(one.parameters[parameter.name]) for one in found if parameter.name in one.parameters),
        )
        for parameter in rule.parameters
    )
    return RuleAnswer(
        rule=rule.slug,
        short=short_name(rule),
        title=rule.title,
        condition=rule.condition,
        explanation=rule.explanation,
        parameters=parameters,
        applies=bool(found),
        nests=(),
        why_not=verbatim_steps.reason_against(decisions, rule.slug),
        comes_after=None,
    )


def rule_table() -> str:
    """The rules as a Markdown table for the documentation, one line a rule."""
    lines = ["| rule | applies to | parameters, in the order of attempts |", "|---|---|---|"]
    lines += [
        f"| `{rule.slug}` | {rule.condition} | {'; '.join(map(_shown, rule.parameters)) or 'none'} |" for rule in RULES
    ]
    return "\n".join(lines) + "\n"


def _shown(parameter: Parameter) -> str:
    values = (" x ".join(map(str, value)) if isinstance(value, list) else str(value) for value in parameter.values)
    return f"{parameter.name}: {', '.join(values)}"
