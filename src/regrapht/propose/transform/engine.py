"""Decisions to text: analysis once a task, rules in order, code generation. One thread at a time, because isl is not thread-safe."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.propose.transform.codegen.program import ProgramText, Test, Version
from regrapht.propose.transform.decisions import Decision, shown
from regrapht.propose.transform.frontend.statements import For, While, every
from regrapht.propose.transform.nest import HostLoop, Kind, PlanItem, ScalarCode
from regrapht.propose.transform.program import Analysis, Program, analyse
from regrapht.propose.transform.rules import BY_SLUG
from regrapht.propose.transform.rules.rule import Rule
from regrapht.propose.transform.schedule import Layout
from regrapht.propose.transform.versioning import loops_at
from regrapht.records.task import Task

LOCK = threading.RLock()
"""Held around everything that touches isl: its objects share one context."""
_KEPT_ANALYSES = 16


class DoesNotApply(Exception):
    """A rule does not apply to a program; the text says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to apply a rule: some nests with one setting."""

    rule: Rule
    decision: Decision


class Engine:
    """Keeps the analyses of the tasks it saw last."""

    def __init__(self) -> None:
        self._analyses: OrderedDict[str, Analysis | CannotTransform] = OrderedDict()

    def analysis(self, task: Task) -> Analysis:
        """The analysed function of a task.

        Raises:
            CannotTransform: The engine cannot take it.
        """
        key = task.content_hash
        if key not in self._analyses:
            try:
                self._analyses[key] = analyse(task)
            except CannotTransform as error:
                self._analyses[key] = error
            while len(self._analyses) > _KEPT_ANALYSES:
                self._analyses.popitem(last=False)
        self._analyses.move_to_end(key)
        found = self._analyses[key]
        if isinstance(found, CannotTransform):
            raise found
        return found

    def program(self, task: Task, decisions: tuple[Decision, ...]) -> Program:
        """The program after `decisions`.

        Raises:
            CannotTransform: The engine cannot take the task.
            DoesNotApply: A decision does not apply where it stands.
        """
        program = Program(self.analysis(task))
        for decision in decisions:
            program = apply(program, decision)
        return program

    def text(self, task: Task, decisions: tuple[Decision, ...]) -> str:
        """The formatted source of the candidate that `decisions` make.

        Raises:
            As `program`.
        """
        program = self.program(task, decisions)
        return ProgramText(task, _version(program), _test(program)).text(_notes(program, decisions))


def apply(program: Program, decision: Decision) -> Program:
    """The program with one more decision.

    Raises:
        DoesNotApply: It does not apply to one of its nests.
    """
    rule = BY_SLUG.get(decision.technique)
    if rule is None:
        raise DoesNotApply(f"the transform engine has no rule '{decision.technique}'")
    if program.nests:
        _check(program, rule, decision)
    if rule.one_nest and len(decision.nests) != 1:
        raise DoesNotApply(f"{rule.slug} takes one nest at a time")
    for nest in program.nests:
        if nest.number in decision.nests:
            nest.prepare(program.scop)
            reason = rule.reason_against(program, nest, decision.parameters)
            if reason is not None:
                raise DoesNotApply(f"{rule.slug}: nest {nest.number} (line {nest.line}): {reason}")
            program = rule.applied(program, nest, decision.parameters)
    return program


def _check(program: Program, rule: Rule, decision: Decision) -> None:
    """A decision names nests that there are and the rule's own parameters with values of theirs.

    Raises:
        DoesNotApply: It does not.
    """
    expected = [parameter.name for parameter in rule.parameters]
    if sorted(decision.parameters) != sorted(expected):
        raise DoesNotApply(f"{rule.slug} takes the parameters {', '.join(expected) or 'none'}")
    for parameter in rule.parameters:
        value = decision.parameters[parameter.name]
        if value not in parameter.values:
            known = ", ".join(map(shown, parameter.values))
            raise DoesNotApply(f"{rule.slug}: {parameter.name} is one of {known}, not {shown(value)}")
    numbers = {nest.number for nest in program.nests}
    if not decision.nests or not set(decision.nests) <= numbers:
        named = ", ".join(map(str, decision.nests)) or "none"
        raise DoesNotApply(f"{rule.slug} is for the nests {named}; the function has {', '.join(map(str, numbers))}")


def choices(program: Program, rule: Rule) -> list[Choice]:
    """All ways to apply a rule, in the order of attempts: each setting on all nests that it suits, then on single ones."""
    together: list[Choice] = []
    single: list[Choice] = []
    for setting in rule.settings():
        fits = []
        for nest in program.nests:
            nest.prepare(program.scop)
            if rule.reason_against(program, nest, setting) is None:
                fits.append(nest.number)
        if fits and (len(fits) == 1 or not rule.one_nest):
            together.append(Choice(rule, Decision(technique=rule.slug, nests=tuple(fits), parameters=setting)))
        if len(fits) > 1 and not rule.all_nests:
            single += [
                Choice(rule, Decision(technique=rule.slug, nests=(number,), parameters=setting)) for number in fits
            ]
    return together + single


def reason_against(program: Program, rule: Rule) -> str | None:
    """None when the rule applies somewhere; otherwise why it does not, nest by nest."""
    for nest in program.nests:
        nest.prepare(program.scop)
    return rule.applies(program)


def run_time_condition(program: Program) -> str | None:
    """What the program tests before it starts threads, as C; None where it tests nothing."""
    return ProgramText(program.task, _version(program), _test(program)).condition


def _version(program: Program) -> Version:
    return Version(program.scop, program.analysis.plan, program.schedules)


def _test(program: Program) -> Test | None:
    """What the program tests when it runs, and what it does where that does not hold: the plain mapping of the function as it is."""
    guard = program.analysis.guard
    if guard is None or guard.otherwise is None:
        return None
    otherwise, plain = Program(guard.otherwise), BY_SLUG["map_to_threads"]
    for nest in otherwise.nests:
        nest.prepare(otherwise.scop)
        otherwise = plain.applied(otherwise, nest, plain.settings()[0])
    why_not = "Otherwise threads may meet, and update by atomics."
    if guard.lines:
        why_not = f"Otherwise one thread runs {loops_at(guard.lines)} of the reference in that order."
    why = f"Threads have no order among them: right where {guard.because}."
    return Test(guard.tested, why, why_not, _version(otherwise))


def _notes(program: Program, decisions: tuple[Decision, ...]) -> list[str]:
    """The header comment: what the program is, and a line for each technique."""
    task = program.task
    notes = [f"{task.entry}: generated from the sequential reference by regrapht's transform engine.", ""]
    for decision in decisions:
        rule = BY_SLUG[decision.technique]
        where = f" [nest {', '.join(map(str, decision.nests))}]" if len(program.nests) > 1 else ""
        notes.append(f"{decision}{where}: {rule.title}.")
    for nest in program.nests:
        if nest.kind is Kind.SERIAL and program.schedules[nest.number].layout is Layout.SERIAL:
            notes += ["", f"The nest at line {nest.line} of the reference runs in one thread: {nest.why_serial}."]
    for line in _one_thread_lines(program.analysis.plan):
        notes += [
            "",
            f"The loop at line {line} of the reference runs in one thread: its iterations are not known in advance.",
        ]
    notes += ["", "A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched."]
    return notes


def _one_thread_lines(plan: Sequence[PlanItem]) -> list[int]:
    """Lines of loops that stand outside all nests."""
    found: list[int] = []
    for item in plan:
        if isinstance(item, HostLoop):
            found += _one_thread_lines(item.body)
        elif isinstance(item, ScalarCode):
            statements = [statement for leaf in item.leaves for statement in every(leaf.statements)]
            loops = [statement.line for statement in statements if isinstance(statement, For | While)]
            found += loops[:1]
    return found
