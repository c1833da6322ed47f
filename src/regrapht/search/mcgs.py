"""Monte Carlo graph search over programs, with the technique graph as its prior. The default search.

One simulation is `_select`, `_expand`, the judge's answer, `_backpropagate`. The judge works outside, so it has two halves, `_next` and
`_learn`:

* select: from the task along the edges that PUCT prefers, to a transition that may be asked for;
* expand: ask for it; after a failure up to three recoveries, by repairing first or by asking anew (`recovery`), until a program is correct;
* backpropagate: a program is worth its own reward or its best descendant's.

Several visits may be out at once. One that is out counts as a visit and not as a loss, and a failure that another visit has overtaken is
not recovered from. What limits many workers is how far down they come in so few rounds, so a young search has few proposals out
(`concurrency`). One worker meets none of this.

There are no rollouts: every program is judged, so what a playout would guess is measured. Two ways to one program meet in one node, and
judging it again costs nothing. Before anything is asked at a program, a model may be asked which techniques fit it (`choice`), and what it
refuses is not asked of the programs below (`refusals`). The form and the dials won a simulation over 60 synthetic tasks; the literal search
of ReGraphT (arXiv 2510.19873) differs in all of prior, selection, reward and recoveries.
"""

from collections import deque
from dataclasses import dataclass, field

from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status
from regrapht.search.accounting import AccountedSearch
from regrapht.search.actions import applicable_transitions, exemplars_for, last_technique
from regrapht.search.backpropagation import Backup, backpropagate
from regrapht.search.choice import ModelChoice
from regrapht.search.concurrency import supported
from regrapht.search.context import SearchContext
from regrapht.search.correction import InRunCorrection
from regrapht.search.evidence import USUAL_SUCCESS
from regrapht.search.prior import PriorSettings, TechniquePrior
from regrapht.search.recovery import Expansion, Recovery, RecoveryRecord
from regrapht.search.refusals import carry, is_refusal, refused_above
from regrapht.search.reward import doublings, figure
from regrapht.search.selection import Count, ValueRange, by_score
from regrapht.search.statistics import Edge, Node, Offer, task_node


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSearchSettings:
    """Dials of the search.

    The defaults won simulations over synthetic tasks. There the outcome hardly moved for an `exploration` between 0.1 and 1; where the
    order of techniques matters little, 0.1 to 0.25 did better up to 50 candidates.
    """

    exploration: float = 0.25
    exploration_count: Count = Count.VISITS
    recoveries: int = 3
    """After a first failure."""
    failed_visits: int = 2
    """So many visits of an edge may end without a correct program before it is left for good."""
    depth: int = 14
    """Most programs on a way, the first one included."""
    attempts_scale: float = 0.1
    attempts_power: float = 0.5
    """An edge with n visits and a program is asked anew while it was asked less than `scale * n ** power` times: after 100, 400 ..."""
    correction_rate: float = 2.0
    backup: Backup = Backup.MAX
    exemplars: int = 2
    """Shown with a proposal."""
    patience: float = 8.0
    """Judged candidates for each further proposal that may be out at once, in budgets up to 50 candidates; larger budgets need fewer.
    0 to keep every worker busy from the start."""
    enough: float | None = 0.95
    """Stop at this fraction of the yardstick's floor; None to go on to the end of the budget."""
    prior: PriorSettings = field(default_factory=PriorSettings)


class GraphSearch(AccountedSearch):
    """MCGS; see the module."""

    name = "mcgs"

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or GraphSearchSettings()
        self.root = task_node()
        self._programs: dict[str, Node] = {}
        self._by_code: dict[str, Node] = {}
        self._values = ValueRange()
        self._prior = TechniquePrior(context, self.settings.prior)
        self._correction = InRunCorrection(self.settings.correction_rate, tuple(context.graph.techniques))
        self._rows: dict[str, tuple[Transition, ...]] = {}
        self._recoveries = RecoveryRecord()
        self._choice = ModelChoice(context)
        self._unfinished: deque[Expansion] = deque()
        self._visiting: dict[int, Expansion] = {}

    def take_up(self, judged: Judged) -> None:
        """Know a correct program that somebody else wrote as a first one: it counts as asked for, and the search goes on from it."""
        first = self.root.edges[0]
        if self._node_of(judged, 1).adopt(first):
            first.asks += 1
            first.visits += 1
            first.take_attempt()

    def _next(self, number: int) -> Proposal | None:
        """A simulation up to the judge: select a way to an edge, expand there. A recovery that waits goes before a new way, and a model's
        choice at a program before the first way from there."""
        spent, budget = self._meter.spent.candidates, self.context.budget.candidates
        if len(self._out) >= supported(spent, candidates=budget, patience=self.settings.patience):
            return None
        if self._unfinished:
            expansion = self._unfinished.popleft()
        elif (path := self._select()) is None or self._choice.is_out(path[-1].source):
            return None
        elif listed := self._choice.due(path[-1].source):
            return self._choose(path[-1].source, listed, number)
        else:
            expansion = Expansion.begin(path, can_repair=self.context.repair)
        return self._expand(expansion, number)

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        """The simulation from the judge on: take in the answer, then backpropagate what the visit came to, or recover from a failure."""
        if proposal.kind is ProposalKind.CHOOSE:
            self._choice.take_in(proposal.id, judged.candidate.chosen or ())
            return
        expansion = self._visiting.pop(proposal.id)
        expansion.edge.source.wake()
        expansion.take_in(proposal, judged, is_new=is_new)
        if is_refusal(proposal, judged) and proposal.transition is not None:
            carry(self.context, expansion.edge.source, proposal.transition.target)
            self._correction.saw_try(proposal.transition.target, succeeded=False)  # and less is hoped of it elsewhere
        self._record(expansion, judged, is_new=is_new)
        if judged.verdict.passed:
            program = self._node_of(judged, expansion.edge.source.depth + 1)
            # False for the edge's own program, and for one above it: the visit found nothing
            self._backpropagate(expansion, succeeded=program.adopt(expansion.edge))
        elif way := self._way_on(expansion):
            expansion.way = way
            self._unfinished.append(expansion)
        elif expansion.answers:
            self._backpropagate(expansion, succeeded=False)
        else:
            expansion.withdraw()

    def _forget(self, proposal: Proposal) -> None:
        if proposal.kind is ProposalKind.CHOOSE:
            self._choice.withdraw(proposal.id)
            return
        expansion = self._visiting.pop(proposal.id)
        expansion.edge.source.wake()
        if expansion.way is not Recovery.REPAIR:
            expansion.edge.give_back(proposal.attempt)
        if expansion.way is None:
            expansion.withdraw()
        else:
            self._unfinished.appendleft(expansion)

    def _select(self) -> tuple[Edge, ...] | None:
        """The way to the most promising edge; further attempts are held back while there is anything else."""
        path = self._descend(self.root, (), set(), hold_back=True)
        if path is None and not self._visiting:
            path = self._descend(self.root, (), set(), hold_back=False)
        return path

    def _descend(
        self, node: Node, path: tuple[Edge, ...], seen: set[Node], *, hold_back: bool
    ) -> tuple[Edge, ...] | None:
        """The way to the first edge that may be asked, depth first in the order that PUCT prefers; None below a node without any."""
        if node.is_closed or (hold_back and node.is_quiet):
            return None
        seen.add(node)
        self._open(node)
        for edge in by_score(
            node,
            self._values,
            exploration=self.settings.exploration,
            factors=self._correction,
            count=self.settings.exploration_count,
        ):
            if self._may_ask(edge, hold_back=hold_back):
                return (*path, edge)
            for child in sorted(edge.children, key=lambda child: -child.value):
                if child not in seen:
                    found = self._descend(child, (*path, edge), seen, hold_back=hold_back)
                    if found is not None:
                        return found
        node.is_quiet = True
        node.is_closed = (node.offer is None or node.offer.is_empty) and all(edge.is_closed for edge in node.edges)
        return None

    def _may_ask(self, edge: Edge, *, hold_back: bool) -> bool:
        if edge.is_dead or edge.is_exhausted:
            return False
        if not hold_back:
            return True
        if not edge.children:
            return not edge.in_flight
        return edge.asks < self.settings.attempts_scale * edge.visits**self.settings.attempts_power

    def _expand(self, expansion: Expansion, number: int) -> Proposal:
        """The proposal for a visit: its first ask, or the recovery that was chosen when it failed."""
        edge = expansion.edge
        kind, parent, history = expansion.request()
        if kind is ProposalKind.REPAIR and parent is not None:
            attempt = expansion.repairs[parent.candidate.id]
        else:
            attempt = edge.take_attempt()
        self._visiting[number] = expansion
        return Proposal(
            id=number,
            kind=kind,
            parent=parent,
            transition=edge.transition,
            exemplars=exemplars_for(self.context, edge.transition, self.settings.exemplars, parent=edge.source.judged),
            attempt=attempt,
            seed=self._seed(number),
            history=history,
            in_full=edge.transition is None,
        )

    def _choose(self, node: Node, listed: tuple[str, ...], number: int) -> Proposal:
        """The proposal that asks a model which of the techniques fit a program."""
        self._choice.begin(number, node)
        return Proposal(
            id=number, kind=ProposalKind.CHOOSE, parent=node.judged, choices=listed, seed=self._seed(number)
        )

    def _backpropagate(self, expansion: Expansion, *, succeeded: bool) -> None:
        """End a visit: the visit that was out is one that was made, and the programs above are worth what they now lead to."""
        edge = expansion.edge
        edge.failures += not succeeded
        edge.is_dead = edge.failures >= self.settings.failed_visits and edge.transition is not None
        expansion.end()
        backpropagate(expansion.path, self.settings.backup)

    def _open(self, node: Node) -> None:
        """Find what can be asked for at a node when it is first looked at."""
        if node.offer is None and node.judged is not None:
            candidate = node.judged.candidate
            deep = node.depth >= self.settings.depth
            matches = {} if deep else applicable_transitions(self.context, candidate, refused_above(node))
            source = last_technique(self.context, candidate)
            node.offer = Offer(self._transitions(source), self._prior.shares(candidate, matches))

    def _transitions(self, source: str) -> tuple[Transition, ...]:
        """From one technique to every other, in the order of the graph's; one tuple for all programs."""
        if source not in self._rows:
            self._rows[source] = tuple(Transition(source, slug) for slug in self.context.graph.techniques)
        return self._rows[source]

    def _node_of(self, judged: Judged, depth: int) -> Node:
        """The one node of a program: by its source without comments and layout, and by its code where the judge built it."""
        key, code = judged.candidate.program_hash or judged.candidate.id, judged.verdict.code_hash
        node = self._programs.get(key) or (self._by_code.get(code) if code is not None else None)
        if node is None:
            value = doublings(judged.verdict, self.context.yardstick) or 0.0
            node = Node(judged=judged, reward=value, depth=depth)
            self._values.add(value)
        self._programs.setdefault(key, node)
        if code is not None:
            self._by_code.setdefault(code, node)
        return node

    def _record(self, expansion: Expansion, judged: Judged, *, is_new: bool) -> None:
        """Count what the run shows of recoveries and of the technique."""
        edge, passed = expansion.edge, judged.verdict.passed
        if judged.verdict.status is Status.SKIPPED:
            return
        if expansion.way is not None:
            self._recoveries.saw(expansion.way, succeeded=passed)
        parent, transition = edge.source.judged, edge.transition
        if not is_new or parent is None or transition is None:
            return
        if expansion.way is not Recovery.REPAIR:
            self._correction.saw_try(transition.target, succeeded=passed)
        value = doublings(judged.verdict, self.context.yardstick)
        if value is not None:
            expected = self._prior.expectation(parent.candidate, transition.target).gain
            self._correction.saw_gain(transition.target, gain=value - edge.source.reward, expected=expected)

    def _way_on(self, expansion: Expansion) -> Recovery | None:
        """How to recover; None when nothing failed but was skipped, when there were recoveries enough, or when better is known by now."""
        if not 0 < expansion.answers <= self.settings.recoveries or expansion.is_overtaken:
            return None
        parent, transition = expansion.edge.source.judged, expansion.edge.transition
        if expansion.repeats and transition is not None:
            return None
        success = USUAL_SUCCESS
        if parent is not None and transition is not None:
            success = self._prior.expectation(parent.candidate, transition.target).success
        return self._recoveries.choose(expansion, success)

    def _is_done(self) -> bool:
        return self._best is not None and is_near_floor(self._best, self.context.yardstick, self.settings.enough)


def is_near_floor(judged: Judged, yardstick: Yardstick, enough: float | None) -> bool:
    """Whether a program runs at the fraction `enough` of what the yardstick's floor allows; False for None."""
    cost = figure(judged.verdict, yardstick.scale)
    return enough is not None and cost is not None and yardstick.floor >= enough * cost
