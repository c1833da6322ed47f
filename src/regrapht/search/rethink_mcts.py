"""RethinkMCTS (Li et al., arXiv 2409.09584) on kernels: a tree of thoughts, a thought regenerated once when its code fails.

    select   argmax of V + (ln((N + base + 1) / base) + c) * p * sqrt(ln N) / (1 + n)      base 10, c 4
    expand   three thoughts at a leaf; code is written along the thoughts from the root
    rethink  a failure is shown to the model, which replaces the last thought in place, once
    value    0.8 + 0.2 * (how good it is) where the code is right, how far it got otherwise

The authors' code asks for the thought and for its code in two calls and lets the model rate right code; here one reply holds the thought
as prose before its program, the judge's reward takes the place of the rating, and how far a failure got that of the share of tests passed.
Thoughts of one leaf are equally likely (p = 1 / 3), a value is the mean over its visits, and a thought that fails twice has none below it.
The authors make 16 rollouts; here the run's budget decides, as for every method.
"""

import math
from collections import deque
from dataclasses import dataclass

from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Status, Verdict
from regrapht.search.accounting import AccountedSearch
from regrapht.search.context import SearchContext
from regrapht.search.reward import reward
from regrapht.search.tree import TreeNode

RIGHT = 0.8
"""Value of code that is right and no faster than the start."""
LONGEST_THOUGHT = 800
"""Characters of a thought that are carried on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RethinkSettings:
    """Dials; the authors' values where they give one."""

    width: int = 3
    constant: float = 4.0
    base: float = 10.0
    rethinks: int = 1
    depth: int = 8
    """Most thoughts on a way. Not in the paper."""


class RethinkSearch(AccountedSearch):
    """MCTS over thoughts; see the module."""

    name = "rethink-mcts"

    def __init__(self, context: SearchContext, settings: RethinkSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or RethinkSettings()
        self.root = TreeNode(parent=None)
        self._failed: deque[tuple[TreeNode, Judged, int]] = deque()
        """Thoughts to think again: the node, the failure, how often it was done before."""
        self._thinking: dict[int, tuple[TreeNode, Judged | None, int]] = {}

    def _next(self, number: int) -> Proposal | None:
        if self._failed:
            node, failure, again = self._failed.popleft()
            self._thinking[number] = (node, failure, again)
            return self._proposal(number, node, ProposalKind.REPAIR, failure, again)
        leaf = self._select(self.root)
        if leaf is None:
            return None
        leaf.begin_visit()
        self._thinking[number] = (leaf, None, 0)
        before = leaf.parent.judged if leaf.parent is not None else None
        kind = ProposalKind.INITIAL if before is None else ProposalKind.IMPROVE
        return self._proposal(number, leaf, kind, before, leaf.attempt)

    def _proposal(
        self, number: int, node: TreeNode, kind: ProposalKind, parent: Judged | None, attempt: int
    ) -> Proposal:
        return Proposal(
            id=number,
            kind=kind,
            parent=parent,
            attempt=attempt,
            seed=self._seed(number),
            notes=thoughts(node.way()[:-1]),
            in_full=node.depth == 1,
        )

    def _select(self, node: TreeNode) -> TreeNode | None:
        """Down to a thought that was not thought yet; None where none can be asked for now."""
        if node.judged is None and node.parent is not None:
            return None if node.visits or node.out else node
        if not node.children and node.depth < self.settings.depth:
            width = range(self.settings.width)
            node.children = [TreeNode(parent=node, depth=node.depth + 1, attempt=i) for i in width]
        open_ones = [child for child in node.children if not child.is_closed]
        for child in sorted(open_ones, key=lambda child: -self._score(node, child)):
            if (found := self._select(child)) is not None:
                return found
        node.is_closed = not node.out and all(child.is_closed for child in node.children)
        return None

    def _score(self, node: TreeNode, child: TreeNode) -> float:
        """P-UCT with the authors' factor that grows with the parent's visits; unvisited children count as the parent's mean."""
        seen, dials = 1 + node.visits + node.out, self.settings
        growth = math.log((seen + dials.base + 1) / dials.base) + dials.constant
        value = child.mean if child.visits else node.mean
        return value + growth / dials.width * math.sqrt(math.log(seen)) / (1 + child.visits + child.out)

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        node, failure, again = self._thinking.pop(proposal.id)
        verdict = judged.verdict
        if verdict.status is Status.SKIPPED:
            node.is_closed = True
            if failure is None:
                node.withdraw_visit()
            else:
                node.end_visit(self._value(failure.verdict))
            return
        done = again + (failure is not None)
        if not verdict.passed and self._may_rethink(judged, done):
            self._failed.append((node, judged, done))
            return
        node.is_closed = not verdict.passed
        node.judged = judged if verdict.passed else None
        node.end_visit(self._value(verdict))

    def _may_rethink(self, judged: Judged, done: int) -> bool:
        return self.context.repair and judged.candidate.source is not None and done < self.settings.rethinks

    def _value(self, verdict: Verdict) -> float:
        earned = reward(verdict, self.context.yardstick)
        return RIGHT + (1 - RIGHT) * earned if verdict.passed else RIGHT * (1 + earned)

    def _forget(self, proposal: Proposal) -> None:
        node, failure, again = self._thinking.pop(proposal.id)
        if failure is not None:
            self._failed.appendleft((node, failure, again))
        else:
            node.withdraw_visit()


def thoughts(way: tuple[TreeNode, ...]) -> str:
    """The thoughts from the root on, numbered: what the model said before each program; empty without any."""
    told = [node.judged.candidate.explanation for node in way if node.judged is not None]
    lines = [f"{i}. {' '.join(text.split())[:LONGEST_THOUGHT]}" for i, text in enumerate(told, start=1) if text.strip()]
    return "\n".join(lines)
