"""MCTS-RAG (Hu et al., arXiv 2503.20757) on kernels: a tree whose actions are to think on, and to retrieve and then think on.

    select     argmax of Q / N + w sqrt(ln N(parent) / N), w = 2; an action never tried comes first
    simulate   random actions from there on, to depth 5
    value      of the simulation's last answer; summed up along the way

The authors answer questions, with six actions and agreement between answers as the value. Here an answer is a program: the actions are the
two that make sense for it, `think` (make it faster) and `retrieve` (the same, with the most similar steps of other tasks shown; at the
root, solutions of the most similar tasks), and the judge's reward is the value. Every step of a simulation is judged and stays in the tree;
a failure ends it. Each action may be asked twice at one place, because a second reply differs. The authors make 15 simulations; here the
run's budget decides.
"""

import math
import random
from collections import deque
from dataclasses import dataclass

from regrapht.graph.retrieval import similar_solutions, similar_steps
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Exemplar
from regrapht.records.verdict import Status
from regrapht.search.accounting import AccountedSearch
from regrapht.search.context import SearchContext
from regrapht.search.reward import reward
from regrapht.search.tree import TreeNode

THINK, RETRIEVE = "think", "retrieve"


@dataclass(frozen=True, slots=True, kw_only=True)
class MctsRagSettings:
    """Dials; the authors' values where they give one."""

    weight: float = 2.0
    depth: int = 5
    samples: int = 2
    """How often an action may be asked at one place. Not in the paper."""
    exemplars: int = 2


class MctsRag(AccountedSearch):
    """MCTS with retrieval as an action; see the module."""

    name = "mcts-rag"

    def __init__(self, context: SearchContext, settings: MctsRagSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or MctsRagSettings()
        self.root = TreeNode(parent=None)
        self._simulations: deque[TreeNode] = deque()
        """Where simulations stand that are to go on."""
        self._asking: dict[int, TreeNode] = {}
        self._found: dict[str | None, tuple[Exemplar, ...]] = {}
        """What was retrieved, by the candidate it was for; None at the root."""

    def _next(self, number: int) -> Proposal | None:
        node = self._simulations.popleft() if self._simulations else self._select(self.root, number)
        if node is None:
            return None
        if not node.out:
            node.begin_visit()
        self._asking[number] = node
        before = node.parent.judged if node.parent is not None else None
        return Proposal(
            id=number,
            kind=ProposalKind.INITIAL if before is None else ProposalKind.IMPROVE,
            parent=before,
            exemplars=self._retrieved(before) if node.action == RETRIEVE else (),
            attempt=node.attempt,
            seed=self._seed(number),
            in_full=before is None,
        )

    def _select(self, node: TreeNode, number: int) -> TreeNode | None:
        """Down by UCT to an action that was not answered yet; None where none can be asked for now."""
        if node.judged is None and node.parent is not None:
            return None if node.out else node
        open_ones = [child for child in self._expanded(node) if not child.is_closed]
        chance = random.Random(self._seed(number) + node.depth)
        chance.shuffle(open_ones)
        for child in sorted(open_ones, key=lambda child: -self._uct(node, child)):
            if (found := self._select(child, number)) is not None:
                return found
        node.is_closed = not node.out
        return None

    def _uct(self, node: TreeNode, child: TreeNode) -> float:
        seen = child.visits + child.out
        if not seen:
            return math.inf
        return child.mean + self.settings.weight * math.sqrt(math.log(node.visits + node.out) / seen)

    def _expanded(self, node: TreeNode) -> list[TreeNode]:
        """Every action at a place, each as often as it may be asked; attempts count over both, because both improve freely."""
        if not node.children and node.depth < self.settings.depth:
            actions = [action for _ in range(self.settings.samples) for action in (THINK, RETRIEVE)]
            node.children = [
                TreeNode(parent=node, depth=node.depth + 1, action=action, attempt=i)
                for i, action in enumerate(actions)
            ]
        return node.children

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        node = self._asking.pop(proposal.id)
        if judged.verdict.status is Status.SKIPPED:
            self._turn_aside(node)
            return
        value = reward(judged.verdict, self.context.yardstick)
        if not judged.verdict.passed:
            node.is_closed = True
            node.end_visit(value)
            return
        node.judged = judged
        steps = self._expanded(node)
        if not steps:
            node.end_visit(value)
            return
        node.withdraw_visit()
        step = random.Random(self._seed(proposal.id) + 1).choice(steps)
        step.begin_visit()
        self._simulations.append(step)

    def _turn_aside(self, node: TreeNode) -> None:
        """There was nothing to judge: the simulation ends with the program before it."""
        node.is_closed = True
        node.withdraw_visit()
        before = node.parent
        if before is not None and before.judged is not None:
            before.begin_visit()
            before.end_visit(reward(before.judged.verdict, self.context.yardstick))

    def _retrieved(self, before: Judged | None) -> tuple[Exemplar, ...]:
        """Looked for once at each place: comparing a program with every step of a graph takes tens of milliseconds."""
        key = before.candidate.id if before is not None else None
        if key not in self._found:
            graph, viewer, limit = self.context.graph, self.context.viewer, self.settings.exemplars
            if before is None:
                self._found[key] = similar_solutions(graph, self.context.reference, viewer, limit=limit)
            else:
                self._found[key] = similar_steps(graph, before.candidate.source or "", viewer, limit=limit)
        return self._found[key]

    def _forget(self, proposal: Proposal) -> None:
        self._simulations.appendleft(self._asking.pop(proposal.id))
