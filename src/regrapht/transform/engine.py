"""Decisions to text: analysis once a task, rules in order, code generation. One thread at a time, because isl is not thread-safe."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence

from regrapht.errors import CannotTransform
from regrapht.records.task import Task
from regrapht.source.program_hash import program_hash
from regrapht.transform.analyse import analyse
from regrapht.transform.codegen.program import ProgramText, Test
from regrapht.transform.ir.statements import For, While, every
from regrapht.transform.plan.analysis import Analysis, Program, loops_at
from regrapht.transform.plan.costs import is_alone, serial_share
from regrapht.transform.plan.nest import HostLoop, PlanItem, ScalarCode
from regrapht.transform.plan.reasons import of_unknown_turns
from regrapht.transform.rules import BY_SLUG, PLAIN, RULES
from regrapht.transform.rules.application import DoesNotApply, apply, choices
from regrapht.transform.rules.decisions import Decision, decisions_to_json
from regrapht.transform.rules.steps import WantedStep, decide
from regrapht.transform.verbatim import steps as verbatim_steps
from regrapht.transform.verbatim.independence import Label
from regrapht.transform.verbatim.observations import Observer
from regrapht.transform.verbatim.program import Verbatim, meetings, verbatim
from regrapht.transform.verbatim.steps import is_verbatim

LOCK = threading.RLock()
"""Held around everything that touches isl: its objects share one context. What gives texts or decisions takes it by itself."""
_KEPT_ANALYSES = 16
_KEPT_PROGRAMS = 64
_ONE_THREAD = "{entry}: its main work runs in one thread, slower than one CPU core (by how much was not measured), so it is no result."
_MOST = 0.5
"""Of the accesses to memory: a program of which one thread makes more than this runs in one thread."""


class Engine:
    """Makes programs of tasks. Keeps the analyses of the tasks, and the programs, that it saw last.

    Several threads may use it, one at a time: see `LOCK`.

    Args:
        observer: Runs instrumented references, so that loops that nothing proves independent can be observed; None observes nothing.
        proved: Whether programs must rest on proofs alone: what the reader refuses is then refused.
    """

    def __init__(self, observer: Observer | None = None, *, proved: bool = False) -> None:
        self._observer, self._proved = observer, proved
        self._verbatim: OrderedDict[str, Verbatim | CannotTransform] = OrderedDict()
        self._analyses: OrderedDict[str, Analysis | CannotTransform] = OrderedDict()
        self._programs: OrderedDict[tuple[str, str], Program] = OrderedDict()
        self._giving: OrderedDict[tuple[str, str], frozenset[str]] = OrderedDict()

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

    def verbatim(self, task: Task) -> Verbatim:
        """The task's verbatim program, for one that `analysis` refuses or has no threads for.

        Raises:
            CannotTransform: There is none; says what the reader refused, if it did, and what stands against the loops as they are.
        """
        refusal = self.refusal(task)
        key = task.content_hash
        if key not in self._verbatim:
            try:
                self._verbatim[key] = self._not_refuted(verbatim(task, self._observer))
            except CannotTransform as error:
                self._verbatim[key] = error if refusal is None else _both(refusal, error)
            while len(self._verbatim) > _KEPT_ANALYSES:
                self._verbatim.popitem(last=False)
        found = self._verbatim[key]
        if isinstance(found, CannotTransform):
            raise found
        if self._proved and found.label is not Label.PROVED:
            raise refusal or CannotTransform(
                f"that its turns are independent is {found.label.value}, and proofs alone count"
            )
        return found

    def _not_refuted(self, found: Verbatim) -> Verbatim:
        text = found.text([], verbatim_steps.Launches())
        why = self._observer.refuted(found.task, program_hash(text)) if self._observer is not None else None
        if why is not None:
            raise CannotTransform(f"that its turns are independent was {found.label.value}, and the judge found {why}")
        return found

    def met(self, task: Task) -> dict[int, str]:
        """Line of a loop -> which two of its turns met where, as runs of the reference showed; nothing where none may be run."""
        if self._observer is None or self._proved:
            return {}
        try:
            return meetings(task, self._observer)
        except CannotTransform:
            return {}

    def require(self, task: Task) -> None:
        """Do nothing where there is a program of the task.

        Raises:
            CannotTransform: There is none, not even a verbatim one.
        """
        if self.refusal(task) is not None:
            self.verbatim(task)

    def keeps_bodies(self, task: Task) -> bool:
        """Whether the task's program keeps the bodies as they are written: the reader refuses them, or proofs give them no threads, and
        observation or a promise gives most of them some.

        Raises:
            CannotTransform: There is no program at all.
        """
        if self.refusal(task) is not None:
            self.verbatim(task)
            return True
        if not _is_serial(self.program(task, self._understood(task))):
            return False
        if self.rule_with_threads(task) is not None:
            return False
        try:
            share = self.verbatim(task).serial_share
        except CannotTransform:
            return False
        return share is None or share <= _MOST

    def rule_with_threads(self, task: Task) -> Decision | None:
        """The first decision that gives threads to what the plain mapping of an understood function runs in one: a scan, an extreme.

        Raises:
            CannotTransform: The reader refuses the function.
        """
        return next(self._with_threads(self.program(task, self._understood(task))), None)

    def gives_threads(self, task: Task, decisions: tuple[Decision, ...]) -> frozenset[str]:
        """The rules that give threads to what one thread runs in a program whose main work one thread does; none for other programs.

        Raises:
            As `program`.
        """
        program = self.program(task, decisions)
        if not _is_serial(program):
            return frozenset()
        key = task.content_hash, decisions_to_json(decisions)
        if key not in self._giving:
            self._giving[key] = frozenset(decision.technique for decision in self._with_threads(program))
            while len(self._giving) > _KEPT_PROGRAMS:
                self._giving.popitem(last=False)
        return self._giving[key]

    def with_threads(self, task: Task, decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
        """`decisions`, and behind them rules that give threads to the main work where one thread does it, as far as there are any.

        Raises:
            As `program`.
        """
        with LOCK:
            if is_verbatim(decisions):
                return decisions
            program = self.program(task, decisions)
            while _is_serial(program) and (found := next(self._with_threads(program), None)) is not None:
                program, decisions = apply(program, found), (*decisions, found)
            return decisions

    @staticmethod
    def _with_threads(program: Program) -> Iterator[Decision]:
        """Of each rule the first decision after which one thread does less of the work."""
        before = serial_share(program)
        for rule in RULES:
            if rule.slug == PLAIN:
                continue
            for choice in choices(program, rule)[:1]:
                after = apply(program, choice.decision)
                if not _is_serial(after) or (before == 1 and serial_share(after) < 1):
                    yield choice.decision

    def refusal(self, task: Task) -> CannotTransform | None:
        """Why the reader refuses the task; None where it takes it."""
        try:
            self.analysis(task)
        except CannotTransform as error:
            return error
        return None

    def program(self, task: Task, decisions: tuple[Decision, ...]) -> Program:
        """The program after `decisions`.

        Raises:
            CannotTransform: The engine cannot take the task.
            DoesNotApply: A decision does not apply where it stands.
        """
        analysis = self.analysis(task)
        if not decisions:
            return Program(analysis)
        key = task.content_hash, decisions_to_json(decisions)
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
        with LOCK:
            if is_verbatim(decisions):
                found = self.verbatim(task)
                return found.text(_verbatim_notes(found, decisions), verbatim_steps.launches(decisions))
            program = self.program(task, decisions)
            return ProgramText(program, _test(program)).text(_notes(program, decisions))

    def in_one_thread(self, task: Task, decisions: tuple[Decision, ...]) -> bool:
        """Whether one thread does the main work of the program that `decisions` make: all of its loops, or what was seen to touch most.

        Raises:
            As `program`.
        """
        with LOCK:
            if is_verbatim(decisions):
                share = self.verbatim(task).serial_share
                return share is not None and share > _MOST
            return _is_serial(self.program(task, decisions))

    def plain(self, task: Task) -> tuple[Decision, ...]:
        """The decision for the plain mapping: a thread an output element, innermost index on x, 256 threads, no sharing.

        Raises:
            CannotTransform: The engine cannot take the task.
        """
        with LOCK:
            return (verbatim_steps.first_decision(),) if self.keeps_bodies(task) else self._understood(task)

    def _understood(self, task: Task) -> tuple[Decision, ...]:
        """As `plain`, of what the reader takes."""
        program = self.program(task, ())
        if not program.nests:
            return (Decision(technique=PLAIN, nests=(), parameters={}),)
        return (choices(program, BY_SLUG[PLAIN])[0].decision,)

    def follow(
        self, task: Task, steps: Sequence[WantedStep], decisions: tuple[Decision, ...] = ()
    ) -> tuple[Decision, ...]:
        """`decisions`, and behind them those that the steps come to; where there are none yet, the plain mapping goes first.

        Raises:
            CannotTransform: The engine cannot take the task.
            DoesNotApply: A decision or a step does not apply where it stands; says why, and which rule would help where one does.
        """
        with LOCK:
            if is_verbatim(decisions) or (not decisions and self.keeps_bodies(task)):
                return self._follow_verbatim(task, steps, decisions)
            program = self.program(task, decisions)
            for step in steps:
                if not decisions and step.rule.slug != PLAIN:
                    decisions = self.plain(task)
                    program = self.program(task, decisions)
                decision = decide(program, step)
                program = apply(program, decision)
                decisions = (*decisions, decision)
            return decisions or self.plain(task)

    def _follow_verbatim(
        self, task: Task, steps: Sequence[WantedStep], decisions: tuple[Decision, ...]
    ) -> tuple[Decision, ...]:
        decisions = decisions or self.plain(task)
        for step in steps:
            if step.rule.slug == PLAIN:
                continue
            found = [
                d
                for d in verbatim_steps.choices(decisions, step.rule.slug)
                if all(d.parameters.get(name) == value for name, value in step.values.items())
            ]
            if not found:
                why = verbatim_steps.reason_against(decisions, step.rule.slug) or "it has no such value here"
                raise DoesNotApply(f"{step.rule.slug} does not apply: {why}")
            decisions = (*decisions, found[0])
        verbatim_steps.launches(decisions)
        return decisions


def plain(task: Task, observer: Observer | None = None) -> str:
    """The straightforward CUDA version of a task's reference.

    Args:
        observer: As `Engine`'s.

    Raises:
        CannotTransform: The engine cannot take the task; says the line, why, and what would help.
    """
    engine = Engine(observer)
    return engine.text(task, engine.plain(task))


def run_time_condition(program: Program) -> str | None:
    """What the program tests before it starts threads, as C; None where it tests nothing."""
    return ProgramText(program, _test(program)).condition


def _test(program: Program) -> Test | None:
    """What the program tests when it runs, and what it does where that does not hold: the plain mapping of the function as it is."""
    guard = program.analysis.guard
    if guard is None or guard.otherwise is None:
        return None
    otherwise, plain = Program(guard.otherwise), BY_SLUG[PLAIN]
    for nest in otherwise.nests:
        nest.prepare(otherwise.scop)
        otherwise = plain.applied(otherwise, nest, plain.settings()[0])
    why_not = "Otherwise threads may meet, and update by atomics."
    if guard.lines:
        why_not = f"Otherwise one thread runs {loops_at(guard.lines)} of the reference in that order."
    why = f"Threads have no order among them: right where {guard.because}."
    return Test(guard.tested, why, why_not, otherwise, guard.rising)


def _notes(program: Program, decisions: tuple[Decision, ...]) -> list[str]:
    """The header comment: what the program is, and a line for each technique."""
    task = program.task
    notes = [f"{task.entry}: generated from the sequential reference by regrapht's transform engine.", ""]
    if _is_serial(program):
        notes[:0] = [_ONE_THREAD.format(entry=task.entry), ""]
    for decision in decisions:
        rule = BY_SLUG[decision.technique]
        where = f" [nest {', '.join(map(str, decision.nests))}]" if len(program.nests) > 1 else ""
        notes.append(f"{decision}{where}: {rule.title}.")
    for nest in program.nests:
        if is_alone(program, nest):
            notes += ["", f"The nest at line {nest.line} of the reference runs in one thread: {nest.why_serial}."]
    for loop in one_thread_loops(program.analysis.plan):
        notes += ["", f"The loop at line {loop.line} of the reference runs in one thread: {of_unknown_turns(loop)}."]
    notes += ["", "A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched."]
    return notes


def _is_serial(program: Program) -> bool:
    """Whether all loops of a program run in one thread, or those that make most of the turns at its largest timed size."""
    alone = [is_alone(program, nest) for nest in program.nests]
    if all(alone):
        return bool(program.nests) or bool(one_thread_loops(program.analysis.plan))
    return any(alone) and serial_share(program) > _MOST


def _both(reader: CannotTransform, loops: CannotTransform) -> CannotTransform:
    """One refusal of both ways: the reader's, and behind it what stands against the loops as they are written."""
    where = f"line {loops.line}: " if loops.line is not None else ""
    reason = f"{reader.reason}; and as it is written, {where}{loops.reason}"
    return CannotTransform(reason, line=reader.line, remedy=reader.remedy)


def _verbatim_notes(program: Verbatim, decisions: tuple[Decision, ...]) -> list[str]:
    """The header comment of a verbatim program; its first line says how independence is known."""
    notes = [verbatim_steps.first_line(program.task.entry, program.independence), ""]
    if program.serial_share is not None and program.serial_share > _MOST:
        notes[:0] = [_ONE_THREAD.format(entry=program.task.entry), ""]
    notes.append(
        "Generated from the sequential reference by regrapht's transform engine, which keeps the loops' bodies as they are written."
    )
    notes += [f"{decision}: {verbatim_steps.title_of(decision)}." for decision in decisions[1:]]
    for one in program.serial:
        notes += ["", f"The loop at line {one.line} of the reference runs in one thread: {one.reason}."]
    notes += ["", "A failed allocation or launch leaves its code in cudaGetLastError()."]
    return notes


def one_thread_loops(plan: Sequence[PlanItem]) -> list[For | While]:
    """Loops that stand outside all nests."""
    found: list[For | While] = []
    for item in plan:
        if isinstance(item, HostLoop):
            found += one_thread_loops(item.body)
        elif isinstance(item, ScalarCode):
            statements = [statement for leaf in item.leaves for statement in every(leaf.statements)]
            loops = [statement for statement in statements if isinstance(statement, For | While)]
            found += loops[:1]
    return found
