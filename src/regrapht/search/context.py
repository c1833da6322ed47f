"""What every search is given: the task by name, the graph, the yardstick, the budget, a seed, and who will serve its proposals."""

from collections.abc import Callable
from dataclasses import dataclass

from regrapht.graph.query import Viewer
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.run import Budget
from regrapht.records.technique import Transition

Applicable = Callable[[Candidate, Transition], bool | None]
Servable = Callable[[Proposal], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a proposer writes by rule, beside what it asks a model for."""

    name: str
    """The kind of proposer that these rules are alone; outcomes in the graph are kept by it."""
    applicable: Applicable
    """Whether a rule applies the transition's technique to a candidate; None where there is no rule that could tell."""
    serves: Servable
    """Whether the rules have a program for a proposal."""
    in_one_thread: Callable[[Judged], bool]
    """Whether one thread does the main work of a program that passed, so that it is no result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchContext:
    """The arguments of a search, the same for every kind, so that kinds can be exchanged and compared."""

    task_id: str
    family: str | None
    graph: TechniqueGraph
    """Knowledge, read only: a search keeps its visits and values on edges of its own."""
    yardstick: Yardstick
    budget: Budget
    seed: int
    proposer: str
    """The kind of proposer that serves the run; outcomes in the graph are kept by it."""
    device: str
    """The architecture that judges (`sm_90`, `emulated`); outcomes in the graph are kept by it."""
    applicable: Applicable | None = None
    """Whether a transition can be applied to a candidate; None when the proposer cannot tell. Called once for each pair."""
    serves: Servable | None = None
    """Whether the proposer can serve a proposal at all, of whatever kind; None where it can. What it cannot is not asked of it, and costs
    none of the budget. Deterministic."""
    hide_family: bool = False
    """Keep everything that the graph learnt from the task's own family out of the search. The task itself is always kept out."""
    hide_tasks: frozenset[str] = frozenset()
    """Further tasks to keep out, such as near-duplicates of this one (`graph.query.near_duplicates`)."""
    reference: str = ""
    """The task's sequential program, for searches that retrieve by likeness of code."""
    rules: Rules | None = None
    """None where the proposer has one writer only."""
    repair: bool = True
    """Whether a search may ask for a repair of a program that failed."""
    choice_weight: float = 0.0
    """How much of a prior over techniques is what a model chose, 0 to 1; 0 asks no model to choose."""

    @property
    def viewer(self) -> Viewer:
        """Who looks at the graph, and what must not be shown."""
        return Viewer(family=self.family, hide_tasks=self.hide_tasks | {self.task_id}, hide_family=self.hide_family)

    @property
    def hidden_family(self) -> str | None:
        return self.viewer.hidden_family
