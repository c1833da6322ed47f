"""Decisions to text: analysis once a task, rules in order, code generation. One thread at a time, because isl is not thread-safe."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.records.task import Task
from regrapht.transform.codegen.program import ProgramText, Test, Version
from regrapht.transform.decisions import Decision, shown, to_json
from regrapht.transform.ir.statements import For, While, every
from regrapht.transform.nest import HostLoop, Kind, PlanItem, ScalarCode
from regrapht.transform.program import Analysis, Program, analyse
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.rule import Rule, Setting
from regrapht.transform.schedule import Layout
from regrapht.transform.versioning import loops_at

LOCK = threading.RLock()
"""Held around everything that touches isl: its objects share one context."""
_KEPT_ANALYSES = 16
_KEPT_PROGRAMS = 64


class DoesNotApply(Exception):
    """A rule does not apply to a program; the text says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to apply a rule: some nests with one setting."""

    rule: Rule
    decision: Decision


class Engine:
    """Keeps the analyses of the tasks, and the programs, that it saw last."""

    def __init__(self) -> None:
        self._analyses: OrderedDict[str, Analysis | CannotTransform] = OrderedDict()
        self._programs: OrderedDict[tuple[str, str], Program] = OrderedDict()

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
        analysis = self.analysis(task)
        if not decisions:
            return Program(analysis)
        key = task.content_hash, to_json(decisions)
        kept = self._programs.get(key)
        if kept is None or kept.analysis.task is not analysis.task:
            kept = apply(self.program(task, decisions[:-1]), decisions[-1])
            self._programs[key] = kept
            while len(self._programs) > _KEPT_PROGRAMS:
                self._programs.popitem(last=False)
        self._programs.move_to_end(key)
        return kept

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
    """All ways to apply a rule, in the order of attempts: each setting on all nests that it suits, then on single ones.

    Settings of less cost for the first nest that they suit come first; a task without timed sizes has them as the rule declares them.
    """
    found: list[tuple[float, Setting, list[int]]] = []
    settings = rule.settings()
    ordered = len(settings) > 1 and bool(program.task.bench_sizes)
    for setting in settings:
        fits = []
        for nest in program.nests:
            nest.prepare(program.scop)
            if rule.reason_against(program, nest, setting) is None:
                fits.append(nest)
        if fits:
            fits[0].prepare(program.scop)
            cost = rule.cost(program, fits[0], setting) if ordered else 0.0
            found.append((cost, setting, [nest.number for nest in fits]))
    found.sort(key=lambda one: one[0])
    together: list[Choice] = []
    single: list[Choice] = []
    for _, setting, numbers in found:
        if len(numbers) == 1 or not rule.one_nest:
            together.append(Choice(rule, Decision(technique=rule.slug, nests=tuple(numbers), parameters=setting)))
        if len(numbers) > 1 and not rule.all_nests:
            single += [
                Choice(rule, Decision(technique=rule.slug, nests=(number,), parameters=setting)) for number in numbers
            ]
    return together + single


def applies(program: Program, rule: Rule) -> bool:
    """Whether `choices` would find any."""
    for setting in rule.settings():
        for nest in program.nests:
            nest.prepare(program.scop)
            if rule.reason_against(program, nest, setting) is None:
                return True
    return False


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
    return Test(guard.tested, why, why_not, _version(otherwise), guard.rising)


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
