"""What an agent can do, a method each: the same over HTTP, over MCP and in Python.

Every method gives a JSON object of at most 2 KB unless `detail` is asked for; what is wrong is an answer too (`answers.error_answer`),
made by `Desk.call`. Tasks and programs are named, files are not: nothing here opens a path that a caller gave.
"""

import functools
import inspect
import logging
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Literal

from regrapht.assemble import open_observer
from regrapht.errors import CannotTransform, ConfigError, RegraphtError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.next_technique import NextTechnique
from regrapht.graph.query import Viewer, near_duplicates, retrieve
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.encoding import to_plain
from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Proposal, ProposalKind, Wait
from regrapht.records.run import Budget
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.records.technique import INIT, Transition
from regrapht.records.verdict import Level, Verdict
from regrapht.serve.agent_runs import AgentRun, AgentRuns
from regrapht.serve.answers import Answer, error_answer, fitted, verdict_answer
from regrapht.serve.judging import Judgement, Judging, PreparedTasks, wait_for
from regrapht.serve.shelf import Shelf, ShelfTask, require_size, unknown
from regrapht.source.program_hash import program_hash
from regrapht.store.runs import RunStore
from regrapht.transform import Decision, DoesNotApply, Engine, decisions_from_json, explain, read_steps

CLIENT: ContextVar[str] = ContextVar("client", default="local")
"""Whose turn a judgement takes; set by what carries the call."""
MOST_WAIT_S = 600.0
_log = logging.getLogger(__name__)

LevelName = Literal["screen", "full"]


class Desk:
    """Everything that a server keeps: tasks, the judge, the engine, the graph, runs.

    Args:
        workers: Judgements made at once.
    """

    TOOLS = (
        "list_tasks",
        "describe_task",
        "create_task",
        "judge",
        "verdict",
        "compare",
        "explain",
        "techniques",
        "apply_rule",
        "start_run",
        "ask",
        "tell",
        "best",
        "budget",
    )

    def __init__(self, *, evaluator: Evaluator, graph: TechniqueGraph, store: RunStore, workers: int) -> None:
        self.shelf = Shelf()
        self._evaluator, self._graph = evaluator, graph
        self._engine = TransformProposer(observer=open_observer())
        self._prepared = PreparedTasks(self._prepare)
        self.judging = Judging(evaluator, workers=workers, prepare=self._prepared)
        self._runs = AgentRuns(store=store, graph=graph, evaluator=evaluator)
        self._next: dict[str, NextTechnique] = {}
        self._next_lock = threading.Lock()

    def warm(self) -> None:
        """Make ready, beside what is asked, what the first question about techniques would wait for: the graph's programs are read."""

        def read() -> None:
            NextTechnique(self._graph, Viewer(family=None, hide_tasks=frozenset())).shares("", "", ())

        threading.Thread(target=read, name="regrapht-warm", daemon=True).start()

    def close(self) -> None:
        """Let judgements in hand end, and leave open runs as interrupted."""
        self.judging.close()
        self._runs.close()

    @property
    def judge_name(self) -> str:
        """The evaluator and its device, for a person."""
        return f"{self._evaluator.name} on {self._evaluator.environment().device}"

    def call(self, tool: str, arguments: dict[str, Any]) -> Answer:
        """The answer of one tool; a mistake of the caller's or a missing machine is an answer too.

        `arguments` are of the right types already: what carries the call checks them against the method's signature.
        """
        detail = bool(arguments.get("detail", False))
        try:
            if tool not in self.TOOLS:
                raise unknown("tool", tool, self.TOOLS)
            return fitted(getattr(self, tool)(**arguments), detail=detail)
        except RegraphtError as error:
            return fitted(error_answer(error), detail=detail)
        except Exception as error:  # a fault of ours ends one call, not the server
            _log.exception("the tool %s failed", tool)
            return error_answer(error)

    def tool(self, name: str) -> Callable[..., Answer]:
        """A tool as a function with the method's signature and text, which answers as `call` does."""
        method = getattr(self, name)

        @functools.wraps(method)
        def call(**arguments: Any) -> Answer:
            return self.call(name, arguments)

        call.__signature__ = inspect.signature(method, eval_str=True)  # type: ignore[attr-defined]
        call.__annotations__ = inspect.get_annotations(method.__func__, eval_str=True)
        return call

    # ---- tasks

    def list_tasks(self, first: int = 0, detail: bool = False) -> Answer:
        """Names of the tasks that can be judged on here, from the `first`; describe_task says what one is."""
        tasks = self.shelf.tasks()
        return {"count": len(tasks), "tasks": [kept.name for kept in tasks[max(0, first) :]]}

    def describe_task(self, task: str, detail: bool = False) -> Answer:
        """What a program for the task must be: its signature, arguments, sizes, tolerance and rules. With detail, the sequential code too.

        Hidden sizes and inputs are never told.
        """
        kept = self.shelf.task(task)
        described = _contract(kept.task)
        if kept.opened.guesses:
            described["guessed"] = list(kept.opened.guesses)
        described["reference"] = kept.task.reference.source.text
        return described

    def create_task(self, source: str, entry: str | None = None, detail: bool = False) -> Answer:
        """A task from the text of a sequential C or C++ function; `entry` names it where there are several. Says what was guessed."""
        kept = self.shelf.create(source, entry=entry)
        return {"task": kept.name, "signature": kept.task.signature, "guessed": list(kept.opened.guesses)}

    # ---- judging

    def judge(
        self,
        task: str,
        source: str | None = None,
        program: str | None = None,
        level: LevelName = "screen",
        wait_s: float = 120.0,
        detail: bool = False,
    ) -> Answer:
        """Build, verify and, with a GPU, time a CUDA program for the task: its `source`, or the id of a `program` that a tool gave.

        `screen` is quick, `full` is what counts. After `wait_s` the answer is `pending` with an id for the tool `verdict`.
        """
        kept = self.shelf.task(task)
        candidate = self._candidate(source, program)
        judgement = self.judging.submit(kept.task, candidate, Level(level), client=CLIENT.get())
        return self._answer(judgement, wait_s, detail) | {"program": self.shelf.put(candidate)}

    def verdict(self, id: str, wait_s: float = 120.0, detail: bool = False) -> Answer:
        """The verdict of a judgement that was pending, by its id."""
        return self._answer(self._judgement(id), wait_s, detail)

    def compare(self, task: str, a: str, b: str, wait_s: float = 300.0, detail: bool = False) -> Answer:
        """Two programs, by id, judged in full and set beside each other: times where there is a GPU, modelled costs without one."""
        kept = self.shelf.task(task)
        judgements = [
            self.judging.submit(kept.task, self.shelf.program(one), Level.FULL, client=CLIENT.get()) for one in (a, b)
        ]
        answers = [self._answer(judgement, wait_s / 2, False) for judgement in judgements]
        shown = ("id", "outcome", "status", "reason", "time_us", "modelled_cost")
        answer: Answer = {
            name: {key: found[key] for key in shown if key in found} for name, found in zip("ab", answers, strict=True)
        }
        if all(found["outcome"] == "passed" for found in answers):
            unit = "time_us" if all("time_us" in found for found in answers) else "modelled_cost"
            if all(unit in found for found in answers):
                answer |= {"a_over_b": answers[0][unit] / answers[1][unit], "is_measured": unit == "time_us"}
        return answer

    def explain(self, id: str, detail: bool = False) -> Answer:
        """What is to be mended in a program that was refused: feedback, findings with their lines, stages. `id` is the judgement's."""
        judgement = self._judgement(id)
        if not judgement.future.done():
            return {"id": id, "outcome": "pending"}
        verdict = judgement.future.result()
        answer = self._answer(judgement, 0, detail)
        answer["stages"] = [
            {"stage": stage.name.value, "outcome": stage.outcome.value, "detail": stage.detail}
            for stage in verdict.stages
        ]
        answer["lines"] = _lines(judgement.candidate.source or "", verdict)
        return answer

    # ---- what to try

    def techniques(
        self,
        task: str,
        source: str | None = None,
        program: str | None = None,
        applied: list[str] | None = None,
        most: int = 8,
        detail: bool = False,
    ) -> Answer:
        """Techniques to try next, the likeliest first, with when each applies, whether the engine can apply it, and an example's gain.

        `applied` names what the program has already; without a program it is about the sequential code. With detail, the examples' code.
        """
        kept = self.shelf.task(task)
        if source is None and program is None:
            candidate = None
        else:
            candidate = self._candidate(source, program)
        done = tuple(applied or (candidate.techniques if candidate else ()))
        text = kept.task.reference.source.text if candidate is None else str(candidate.source)
        shares = self._ranker(kept).shares(text, kept.task.reference.source.text, done)
        rules = self._rules(kept.task, candidate)
        last = done[-1] if done else INIT
        rows = []
        for slug in list(shares)[: max(1, min(most, 40))]:
            technique = self._graph.techniques[slug]
            row: Answer = {
                "technique": slug,
                "share": round(shares[slug], 3),
                "when": technique.condition,
                "engine": rules.get(slug, "no rule"),
            }
            if (shown := self._example(kept.task, Transition(last, slug), text, detail)) is not None:
                row["example"] = shown
            rows.append(row)
        return {"techniques": rows}

    def apply_rule(
        self, task: str, rule: str | None = None, program: str | None = None, detail: bool = False
    ) -> Answer:
        """The transform engine's program: plain, or with a `rule` such as `shared:64` applied to one of its own programs.

        Gives the program's id, to be judged or built upon; its text too where it is short or with detail.
        """
        kept = self.shelf.task(task)
        before = self._decisions(self.shelf.program(program)) if program is not None else ()
        try:
            steps = read_steps(rule or "")
            decisions = Engine(open_observer()).follow(kept.task, steps, before)
        except DoesNotApply as error:
            raise ConfigError(str(error)) from error
        candidate = self._engine.rebuild(kept.task, decisions)
        return {
            "program": self.shelf.put(candidate),
            "techniques": list(candidate.techniques),
            "explanation": candidate.explanation,
            "source": candidate.source,
        }

    # ---- runs

    def start_run(
        self, task: str, search: str = "mcgs", candidates: int = 20, seed: int = 0, detail: bool = False
    ) -> Answer:
        """A search that says what to try next, within a budget of judged programs: then ask, write what it asks for, and tell."""
        if not 1 <= candidates <= 10_000:
            raise ConfigError(f"candidates is {candidates}: give 1 to 10000")
        kept = self.shelf.task(task)
        run = self._runs.start(
            kept.task, self._yardstick(kept.task), search=search, budget=Budget(candidates=candidates), seed=seed
        )
        return {"run": run.run.id, "task": task, "search": search, "left": run.budget_left(), "next": "ask"}

    def ask(self, run: str, detail: bool = False) -> Answer:
        """What the search wants next: a first program, a technique applied to a program, or a repair of one."""
        found = self._runs.find(run)
        proposal = self._runs.ask(found)
        if proposal is None:
            return {"run": run, "finished": True, "left": found.budget_left(), "next": "best"}
        if isinstance(proposal, Wait):
            return {"run": run, "finished": False, "wait": True, "next": "tell what is open, then ask again"}
        return self._question(found, proposal)

    def tell(
        self,
        run: str,
        proposal: int,
        source: str | None = None,
        program: str | None = None,
        wait_s: float = 300.0,
        detail: bool = False,
    ) -> Answer:
        """The program for a proposal of `ask`: it is judged, and the search learns of it. Neither source nor program: it does not apply."""
        found = self._runs.find(run)
        asked = self._runs.proposal(found, proposal)
        if source is None and program is None:
            candidate = _declined(asked)
        else:
            candidate = _answering(asked, self._candidate(source, program))
        judgement = self.judging.submit(found.task, candidate, Level.SCREEN, client=CLIENT.get())
        answer = self._answer(judgement, wait_s, detail)
        if answer["outcome"] in ("pending", "machine_unavailable", "error"):
            return answer | {"next": "tell the same again: it is not judged twice"}
        self._runs.tell(found, asked, candidate, judgement.future.result())
        if candidate.source is not None:
            answer["program"] = self.shelf.put(candidate)
        return answer | {"left": found.budget_left(), "next": "ask"}

    def best(self, run: str, wait_s: float = 300.0, detail: bool = False) -> Answer:
        """The best program of a run so far, judged in full."""
        found = self._runs.find(run)
        best = found.search.search.best()
        if best is None:
            return {"run": run, "outcome": "refused", "reason": "nothing passed yet", "left": found.budget_left()}
        judgement = self.judging.submit(found.task, best.candidate, Level.FULL, client=CLIENT.get())
        answer = self._answer(judgement, wait_s, detail)
        answer |= {"run": run, "techniques": list(best.candidate.techniques), "program": self.shelf.put(best.candidate)}
        return answer | {"source": best.candidate.source}

    def budget(self, run: str, detail: bool = False) -> Answer:
        """What is left of a run's budget, and what is open."""
        found = self._runs.find(run)
        return {"run": run, "left": found.budget_left(), "open": sorted(found.asked)}

    # ---- behind the tools

    def _prepare(self, task: Task) -> Yardstick:
        """As a run prepares: the reference is built and tried, and the engine's plain program is what gains are over."""
        try:
            plain = self._engine.plain(task)
        except CannotTransform:
            plain = None
        return self._evaluator.prepare(task, plain)

    def _yardstick(self, task: Task) -> Yardstick:
        found = self._prepared(task)
        assert isinstance(found, Yardstick)
        return found

    def _candidate(self, source: str | None, program: str | None) -> Candidate:
        if (source is None) == (program is None):
            raise ConfigError("give either the source or the id of a program")
        if source is None:
            return self.shelf.program(str(program))
        require_size(source)
        try:
            return Candidate(
                source=source, program_hash=program_hash(source), origin=Origin(proposer="agent", seconds=0.0)
            )
        except UnicodeEncodeError as error:
            raise ConfigError("the source holds half a character (a lone surrogate); send UTF-8") from error

    def _judgement(self, judgement_id: str) -> Judgement:
        if (found := self.judging.find(judgement_id)) is None:
            raise unknown("judgement", judgement_id, ())
        return found

    def _answer(self, judgement: Judgement, wait_s: float, detail: bool) -> Answer:
        if not 0 <= wait_s <= MOST_WAIT_S:
            raise ConfigError(f"wait_s is {wait_s:g}: give 0 to {MOST_WAIT_S:g}")
        if not wait_for(judgement, wait_s):
            return {
                "id": judgement.id,
                "outcome": "pending",
                "waiting": self.judging.waiting,
                "next": "verdict with this id",
            }
        verdict = judgement.future.result()
        return verdict_answer(judgement.id, verdict, self._yardstick(judgement.task), detail=detail)

    def _ranker(self, kept: ShelfTask) -> NextTechnique:
        """The ranking as a search on this task has it: the task itself and near-duplicates teach nothing."""
        key = kept.task.content_hash
        with self._next_lock:
            if key not in self._next:
                self._next[key] = NextTechnique(self._graph, self._viewer(kept.task))
            return self._next[key]

    def _viewer(self, task: Task) -> Viewer:
        hidden = near_duplicates(self._graph, task.reference.source.text) | {task.id}
        return Viewer(family=task.family, hide_tasks=hidden, hide_family=False)

    def _rules(self, task: Task, candidate: Candidate | None) -> dict[str, str]:
        """For each technique that the engine has a rule for: whether it applies to the program, or why not."""
        try:
            decisions = self._decisions(candidate) if candidate is not None else ()
        except ConfigError:
            return {}
        try:
            answers = explain(task, decisions)
        except CannotTransform as error:
            return dict.fromkeys(self._graph.techniques, f"does not take this task: {error.reason}")
        return {a.rule: f"applies: {a.short}" if a.applies else f"no: {a.why_not}" for a in answers}

    def _example(self, task: Task, transition: Transition, text: str, detail: bool) -> Answer | None:
        found = retrieve(self._graph, transition, self._viewer(task), limit=1, program=text)
        if not found:
            return None
        example = found[0]
        shown: Answer = {"task": example.task_id}
        if example.speedup is not None:
            shown |= {"speedup": round(example.speedup, 2), "device": example.device}
        if detail:
            shown |= {
                "detail": example.detail,
                "before": self._graph.programs[example.before],
                "after": self._graph.programs[example.after],
            }
        return shown

    @staticmethod
    def _decisions(candidate: Candidate) -> tuple[Decision, ...]:
        if candidate.origin.decisions is None:
            raise ConfigError("the engine changes programs of its own: name one that apply_rule gave")
        return decisions_from_json(candidate.origin.decisions)

    def _question(self, run: AgentRun, proposal: Proposal) -> Answer:
        """A proposal in words."""
        question: Answer = {"run": run.run.id, "proposal": proposal.id, "kind": proposal.kind.value}
        if proposal.parent is not None:
            question["program"] = self.shelf.put(proposal.parent.candidate)
        if proposal.transition is not None and proposal.kind is ProposalKind.APPLY:
            technique = self._graph.techniques[proposal.transition.target]
            question |= {"technique": technique.slug, "meaning": technique.meaning, "when": technique.condition}
        if proposal.kind is ProposalKind.REPAIR and proposal.parent is not None:
            question["feedback"] = proposal.parent.verdict.feedback or proposal.parent.verdict.reason
        if proposal.parent is not None:
            question["source"] = proposal.parent.candidate.source
        return question | {"left": run.budget_left(), "next": "tell with the program's source"}


def _contract(task: Task) -> Answer:
    """What a caller must know to write a program, most important first."""
    return {
        "task": task.id,
        "title": task.title,
        "signature": task.signature,
        "residency": task.contract.residency.value,
        "may_allocate": task.contract.may_allocate,
        "libraries": list(task.contract.allow_libraries),
        "rounding": task.contract.rounding.value,
        "arguments": [_argument(arg) for arg in task.parameters],
        "check_sizes": [dict(sizes) for sizes in task.check_sizes],
        "bench_sizes": [dict(sizes) for sizes in task.bench_sizes],
        "require": list(task.require),
        "tolerance": to_plain(task.tolerance),
        "description": task.description,
    }


def _argument(arg: Arg) -> Answer:
    shown: Answer = {"name": arg.name, "type": arg.dtype.c_name}
    if arg.kind is ArgKind.ARRAY:
        shown |= {"shape": [str(length) for length in arg.shape], "role": arg.role.value if arg.role else None}
        if arg.init is not None:
            shown["values"] = {"kind": arg.init.kind, **{k: str(v) for k, v in arg.init.parameters.items()}}
    return shown


def _lines(source: str, verdict: Verdict) -> list[str]:
    """The program's lines that findings name, with their numbers."""
    texts = source.splitlines()
    wanted = sorted({n for f in verdict.findings for n in (f.line, f.other_line) if n and n <= len(texts)})
    return [f"{number}: {texts[number - 1].strip()}" for number in wanted[:6]]


def _answering(proposal: Proposal, candidate: Candidate) -> Candidate:
    """The candidate as the answer to this proposal: its parent and the technique that was asked for."""
    parent = proposal.parent.candidate if proposal.parent is not None else None
    techniques = parent.techniques if parent is not None else ()
    if proposal.kind is ProposalKind.APPLY and proposal.transition is not None:
        techniques = (*techniques, proposal.transition.target)
    return replace(
        candidate,
        parent=parent.id if parent is not None else None,
        transition=proposal.transition,
        techniques=techniques,
    )


def _declined(proposal: Proposal) -> Candidate:
    from regrapht.records.candidate import NoSource

    declined = Candidate(
        source=None,
        program_hash=None,
        origin=Origin(proposer="agent", seconds=0.0),
        no_source=NoSource.SKIPPED,
        reason="the agent says that the technique does not apply",
    )
    return _answering(proposal, declined)
