"""Searches that an agent serves: it asks what to try, writes it, and tells; the server judges. Kept in the store like any other run."""

import threading
from dataclasses import dataclass, field

from regrapht.assemble import open_search, search_context
from regrapht.errors import ConfigError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose.agent import AgentProposer
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.run import Budget, Run, RunOptions, RunSettings, RunState
from regrapht.records.task import Task
from regrapht.records.verdict import Verdict
from regrapht.search.journalled import JournalledSearch
from regrapht.serve.shelf import unknown
from regrapht.store.runs import RunJournal, RunStore


@dataclass(slots=True, kw_only=True)
class AgentRun:
    """One run. A lock keeps asks and tells one at a time; a judgement is made outside of it."""

    run: Run
    search: JournalledSearch
    yardstick: Yardstick
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: dict[int, Proposal] = field(default_factory=dict)
    """Proposals that nobody has answered yet, by id."""

    @property
    def task(self) -> Task:
        return self.run.settings.task

    def budget_left(self) -> dict[str, float]:
        """What is left of each limit that this run has."""
        budget, spent = self.run.settings.options.budget, self.search.spent
        left = {"candidates": (budget.candidates, spent.candidates), "proposals": (budget.proposals, spent.proposals)}
        return {name: max(0, limit - used) for name, (limit, used) in left.items() if limit is not None}


class AgentRuns:
    """All runs of a server, by id."""

    def __init__(self, *, store: RunStore, graph: TechniqueGraph, evaluator: Evaluator) -> None:
        self._store, self._graph, self._evaluator = store, graph, evaluator
        self._lock = threading.Lock()
        self._runs: dict[str, AgentRun] = {}

    def start(self, task: Task, yardstick: Yardstick, *, search: str, budget: Budget, seed: int) -> AgentRun:
        """A new run.

        Raises:
            UnknownName: There is no such search.
        """
        proposer = AgentProposer()
        options = RunOptions(
            search=search, proposer=proposer.name, evaluator=self._evaluator.name, budget=budget, seed=seed
        )
        context = search_context(task, self._graph, yardstick, options, proposer=proposer, evaluator=self._evaluator)
        fresh = open_search(search, context)
        settings = RunSettings(
            options=options,
            task=task,
            task_hash=task.content_hash,
            path=None,
            protocol=self._evaluator.protocol,
            device=self._evaluator.environment().device,
            graph_hash=self._graph.content_hash,
            prompts_hash=None,
        )
        run = self._store.create(settings, yardstick)
        journalled = JournalledSearch(fresh, journal=RunJournal(self._store, run.id))
        started = AgentRun(run=run, search=journalled, yardstick=yardstick)
        with self._lock:
            self._runs[run.id] = started
        return started

    def find(self, run_id: str) -> AgentRun:
        """The run of this id.

        Raises:
            UnknownName: This server did not start it.
        """
        with self._lock:
            if run_id in self._runs:
                return self._runs[run_id]
            known = list(self._runs)
        raise unknown("run", run_id, known)

    def ask(self, run: AgentRun) -> Proposal | Wait | None:
        """What to try next; None when the search has ended, which the store then says."""
        with run.lock:
            proposal = run.search.ask()
            if isinstance(proposal, Proposal):
                run.asked[proposal.id] = proposal
            elif proposal is None and not run.asked:
                self._store.set_state(run.run.id, RunState.FINISHED)
            return proposal

    def proposal(self, run: AgentRun, proposal_id: int) -> Proposal:
        """An open proposal.

        Raises:
            ConfigError: It was never asked for, or was answered.
        """
        with run.lock:
            if (proposal := run.asked.get(proposal_id)) is None:
                open_ids = ", ".join(map(str, run.asked)) or "none"
                raise ConfigError(f"proposal {proposal_id} is not open in run {run.run.id}; open: {open_ids}")
            return proposal

    def tell(self, run: AgentRun, proposal: Proposal, candidate: Candidate, verdict: Verdict) -> None:
        """The answer to a proposal. A second answer to the same one is refused, so a repeated call changes nothing."""
        with run.lock:
            if run.asked.pop(proposal.id, None) is None:
                raise ConfigError(f"proposal {proposal.id} of run {run.run.id} was answered meanwhile")
            run.search.tell(proposal, Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict))

    def close(self) -> None:
        """Leave runs that have not ended as interrupted."""
        with self._lock:
            for run in self._runs.values():
                if self._store.run(run.run.id).state is RunState.RUNNING:
                    self._store.set_state(run.run.id, RunState.INTERRUPTED)
