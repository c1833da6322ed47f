"""A search, and after it a search over the open parameters of its best program: one numbering, one journal, one run.

What tuning judges are ordinary candidates, charged to tuning's own budget. Settings that are known or not worth a judgement are not asked
for at all; `report` says how many and why.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Judged, Proposal, ProposalKind, Wait
from regrapht.records.run import Budget
from regrapht.records.task import Task
from regrapht.records.verdict import Verdict
from regrapht.search.budget import BudgetMeter
from regrapht.search.reward import figure, rank
from regrapht.search.search import Search
from regrapht.tune.opening import CannotOpen, DoesNotFit, Opening, Setting, start_of
from regrapht.tune.pruning import blind_parameters, known_registers, launch_problem, same_to_the_model
from regrapht.tune.sampler import Sampler, sampler_for
from regrapht.tune.tuned_proposer import open_up

NOT_BUILT, NOT_LAUNCHED, INDISTINCT, KNOWN = (
    "no program",
    "cannot be launched well",
    "the model cannot tell it apart",
    "judged before",
)
"""Why a setting is not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningReport:
    """What tuning did, for a reader."""

    why_not: str | None
    """Why nothing was tuned; None where something was, or tuning has not begun."""
    parameters: tuple[str, ...] = ()
    settings: int = 0
    """How many there are, with those that give no program."""
    judged: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    """Settings that were not judged, by reason."""


class TunedSearch:
    """Asks as `inner` until that has finished, then for settings of its best program's open parameters.

    Args:
        inner: The search; the tuned one has its name.
        task: What is optimised.
        yardstick: What programs are compared by.
        budget: Settings to judge.
        seed: Of the sampler.
        opener: How a program's parameters are opened.
    """

    def __init__(
        self,
        inner: Search,
        *,
        task: Task,
        yardstick: Yardstick,
        budget: int,
        seed: int,
        opener: Callable[[Task, Candidate], Opening] = open_up,
    ) -> None:
        self.name = inner.name
        self._inner, self._task, self._yardstick, self._opener = inner, task, yardstick, opener
        self._budget, self._seed = budget, seed
        self._meter = BudgetMeter(Budget(candidates=budget))
        self._last_id = 0
        self._start: Judged | None = None
        self._best: Judged | None = None
        self._opening: Opening | None = None
        self._sampler: Sampler | None = None
        self._why_not: str | None = None
        self._out: dict[int, Setting] = {}
        self._verdicts: list[tuple[Setting, Verdict]] = []
        self._costs: list[tuple[Setting, float]] = []
        self._programs: dict[str, float | None] = {}
        self._left_out: Counter[str] = Counter()

    def ask(self) -> Proposal | Wait | None:
        """As `Search.ask`."""
        if self._start is None and self._why_not is None:
            asked = self._inner.ask()
            if isinstance(asked, Proposal):
                self._last_id = asked.id
            if asked is not None:
                return asked
            self._begin()
        if self._sampler is not None and self._meter.allows_another(len(self._out)):
            setting = self._worthwhile(self._sampler)
            if setting is not None:
                return self._proposal(setting)
        return Wait() if self._out else None

    def tell(self, proposal: Proposal, candidate: Candidate, verdict: Verdict) -> None:
        """As `Search.tell`."""
        cost = figure(verdict, self._yardstick.scale) if verdict.passed else None
        if candidate.program_hash is not None:
            self._programs[candidate.program_hash] = cost
        if proposal.kind is not ProposalKind.TUNE:
            self._inner.tell(proposal, candidate, verdict)
            return
        setting = self._take_back(proposal)
        self._meter.spent.add(candidate, verdict)
        judged = Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict)
        self._learn(setting, verdict, cost)
        best = self.best()
        if verdict.passed and (best is None or rank(judged, self._yardstick) > rank(best, self._yardstick)):
            self._best = judged

    def abandon(self, proposal: Proposal) -> None:
        """As `Search.abandon`."""
        if proposal.kind is not ProposalKind.TUNE:
            self._inner.abandon(proposal)
            return
        setting = self._take_back(proposal)
        assert self._sampler is not None
        self._sampler.forget(setting)

    def best(self) -> Judged | None:
        """As `Search.best`."""
        return self._best or self._inner.best()

    def report(self) -> TuningReport:
        """What tuning did so far."""
        parameters = self._opening.parameters if self._opening is not None else ()
        settings = 1
        for parameter in parameters:
            settings *= len(parameter.values)
        return TuningReport(
            why_not=self._why_not,
            parameters=tuple(f"{each.name} in {' | '.join(each.values)}" for each in parameters),
            settings=settings if parameters else 0,
            judged=self._meter.spent.candidates,
            left_out=tuple(sorted(self._left_out.items())),
        )

    def _begin(self) -> None:
        """Open the best program that the search found."""
        found = self._inner.best()
        if found is None:
            self._why_not = "no program passed"
            return
        try:
            opening = self._opener(self._task, found.candidate)
        except CannotOpen as reason:
            self._why_not = f"the best program leaves nothing open: {reason}"
            return
        self._start, self._opening = found, opening
        self._sampler = sampler_for(opening.parameters, budget=self._budget, seed=self._seed)
        self._learn(start_of(opening), found.verdict, figure(found.verdict, self._yardstick.scale))

    def _learn(self, setting: Setting, verdict: Verdict, cost: float | None) -> None:
        assert self._sampler is not None
        self._sampler.learn(setting, cost)
        self._verdicts.append((setting, verdict))
        if cost is not None:
            self._costs.append((setting, cost))

    def _worthwhile(self, sampler: Sampler) -> Setting | None:
        """The next setting that is worth a judgement; None when there is none left."""
        while (setting := sampler.suggest()) is not None:
            known = self._known(setting)
            if known is None:
                return setting
            why, cost = known
            self._left_out[why] += 1
            sampler.learn(setting, cost)
        return None

    def _known(self, setting: Setting) -> tuple[str, float | None] | None:
        """Why a setting need not be judged, and its cost where that is known; None when it is to be judged."""
        assert self._opening is not None
        try:
            candidate = self._opening.candidate(setting)
        except DoesNotFit:
            return NOT_BUILT, None
        assert candidate.source is not None and candidate.program_hash is not None
        if candidate.program_hash in self._programs:
            return KNOWN, self._programs[candidate.program_hash]
        parameters = self._opening.parameters
        if launch_problem(candidate.source, known_registers(setting, parameters, self._verdicts)) is not None:
            return NOT_LAUNCHED, None
        if self._yardstick.scale is Scale.MODELLED:
            blind = blind_parameters(parameters, self._costs)
            cost = same_to_the_model(setting, blind, self._costs)
            if cost is not None:
                return INDISTINCT, cost
        return None

    def _proposal(self, setting: Setting) -> Proposal:
        self._last_id += 1
        self._out[self._last_id] = setting
        return Proposal(
            id=self._last_id,
            kind=ProposalKind.TUNE,
            parent=self._start,
            seed=self._seed,
            notes=json.dumps(dict(setting)),
        )

    def _take_back(self, proposal: Proposal) -> Setting:
        setting = self._out.pop(proposal.id, None)
        if setting is None:
            raise ValueError(f"proposal {proposal.id} is not out: each proposal is told or abandoned once")
        return setting
