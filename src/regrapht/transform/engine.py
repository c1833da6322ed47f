"""Decisions to text: analysis once a task, rules in order, code generation. One thread at a time, because isl is not thread-safe."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from regrapht.errors import CannotTransform
from regrapht.records.task import Task
from regrapht.transform.analyse import analyse
from regrapht.transform.codegen.program import ProgramText, Test
from regrapht.transform.ir.statements import For, While, every
from regrapht.transform.plan.analysis import Analysis, Program, loops_at
from regrapht.transform.plan.nest import HostLoop, Kind, PlanItem, ScalarCode
from regrapht.transform.plan.schedule import Layout
from regrapht.transform.rules import BY_SLUG, PLAIN
from regrapht.transform.rules.application import apply, choices
from regrapht.transform.rules.decisions import Decision, decisions_to_json
from regrapht.transform.rules.steps import WantedStep, decide

LOCK = threading.RLock()
"""Held around everything that touches isl: its objects share one context. What gives texts or decisions takes it by itself."""
_KEPT_ANALYSES = 16
_KEPT_PROGRAMS = 64


class Engine:
    """Makes programs of tasks. Keeps the analyses of the tasks, and the programs, that it saw last.

    Several threads may use it, one at a time: see `LOCK`.
    """

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
            program = self.program(task, decisions)
            return ProgramText(program, _test(program)).text(_notes(program, decisions))

    def plain(self, task: Task) -> tuple[Decision, ...]:
        """The decision for the plain mapping: a thread an output element, innermost index on x, 256 threads, no sharing.

        Raises:
            CannotTransform: The engine cannot take the task.
        """
        with LOCK:
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
            program = self.program(task, decisions)
            for step in steps:
                if not decisions and step.rule.slug != PLAIN:
                    decisions = self.plain(task)
                    program = self.program(task, decisions)
                decision = decide(program, step)
                program = apply(program, decision)
                decisions = (*decisions, decision)
            return decisions or self.plain(task)


def plain(task: Task) -> str:
    """The straightforward CUDA version of a task's reference.

    Raises:
        CannotTransform: The engine cannot take the task; says the line, why, and what would help.
    """
    engine = Engine()
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
