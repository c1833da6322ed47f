"""The Monte Carlo graph search of ReGraphT (arXiv 2510.19873, section 3.2), with its equations 1 to 3 to the letter.

    Eq. 1   P-UCB(s) = Q(s) + sqrt(2 ln N(s') / N(s)), s' the parent of s; a successor never visited comes before all others
    Eq. 2   rollout: argmax over a of Q(s, a) - lambda N(s, a) with probability 1 - epsilon, a random action otherwise
    Eq. 3   reward: -1 where a test fails; speedup - 1 below 1; speedup from 1 on

One iteration selects from the root by equation 1, applies the technique of the state that it comes to, expands that state with all its
successors in the graph at once, and rolls out from there by equation 2. Every step is judged; the rollout ends at the first failure. Every
state may be terminal, so its return is the largest reward seen, and it goes up the selected path. Ten rollouts, and a budget of 200.

The paper leaves open, and here is: lambda, epsilon and both caps (dials); how returns become Q (their mean; dial: the largest); N(s') of a
state with several parents (a state is a way from the root, so it has one); the N and Q of equation 2 (by technique and next technique over
the whole run, the only reading in which lambda leads out of a cycle); a state whose technique failed (it keeps -1 and, selected again, is
asked anew). The root is the first CUDA program, which is asked for until it is right and is no rollout. `speedup` is start / t of the
yardstick; without a GPU that is a ratio of modelled costs.
"""

import math
import random
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status, Verdict
from regrapht.search.accounting import AccountedSearch
from regrapht.search.actions import exemplars_for, last_technique, with_match
from regrapht.search.context import SearchContext
from regrapht.search.reward import doublings


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSearchSettings:
    """Dials; those that the paper names have its values."""

    rollouts: int = 10
    continued: bool = False
    """Go on after `rollouts` to the end of the run's budget."""
    penalty: float = 0.5
    """Lambda of equation 2, in the unit of the reward. Not in the paper."""
    chance_of_random: float = 0.1
    """Epsilon of equation 2. Not in the paper."""
    rollout_steps: int = 4
    """Most techniques applied after the selected state's own. Not in the paper."""
    depth: int = 8
    """Most techniques on a way of the tree. Not in the paper."""
    largest_return: bool = False
    """Q(s) is the largest return instead of the mean one. Not in the paper."""
    exemplars: int = 1


@dataclass(slots=True, eq=False)
class State:
    """A way from the root through the graph, with the program that it led to."""

    transition: Transition | None
    depth: int
    judged: Judged | None = None
    successors: list["State"] | None = None
    """None until the first visit, which makes all of them."""
    visits: int = 0
    out: int = 0
    """Rollouts through here that are not over: they count as visits that returned nothing yet."""
    total: float = 0.0
    largest: float = -math.inf
    is_closed: bool = False
    """Its technique does not apply, or nothing below it can be asked."""


@dataclass(slots=True, eq=False)
class Rollout:
    """One iteration: the selected path, then steps that leave no states behind."""

    path: tuple[State, ...]
    judged: Judged | None
    """The program that the next technique is applied to; None before there is a first one."""
    transition: Transition | None = None
    """Asked for now."""
    attempt: int = 0
    steps: int = 0
    """Techniques applied."""
    largest: float = -math.inf
    taken: list[Transition] = field(default_factory=list)
    barred: set[Transition] = field(default_factory=set)
    """Those that turned out not to apply to the program at hand."""


def equation_1(mean: float, visits: float, parent_visits: float) -> float:
    """P-UCB of a state: despite its name it holds no prior."""
    return math.inf if not visits else mean + math.sqrt(2 * math.log(parent_visits) / visits)


def equation_3(verdict: Verdict, speedup: float | None) -> float:
    """The reward of one step. A speed-up that is not known counts as 1."""
    if not verdict.passed:
        return -1.0
    known = 1.0 if speedup is None else speedup
    return known if known >= 1 else known - 1


class PaperSearch(AccountedSearch):
    """MCGS as published; see the module."""

    name = "mcgs-paper"

    def __init__(self, context: SearchContext, settings: PaperSearchSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or PaperSearchSettings()
        self.root = State(transition=None, depth=0)
        self._done = 0
        self._interrupted: deque[Rollout] = deque()
        self._rolling: dict[int, Rollout] = {}
        self._attempts: Counter[tuple[str, Transition | None]] = Counter()
        self._tries: Counter[tuple[str, str]] = Counter()
        self._returns: defaultdict[tuple[str, str], float] = defaultdict(float)

    # ---- asking

    def _next(self, number: int) -> Proposal | None:
        rollout = self._interrupted.popleft() if self._interrupted else self._select(number)
        if rollout is None:
            return None
        self._rolling[number] = rollout
        return Proposal(
            id=number,
            kind=ProposalKind.INITIAL if rollout.judged is None else ProposalKind.APPLY,
            parent=rollout.judged,
            transition=rollout.transition,
            exemplars=()
            if rollout.transition is None  # the paper retrieves examples of an edge, and the first program has none
            else exemplars_for(self.context, rollout.transition, self.settings.exemplars, parent=rollout.judged),
            attempt=rollout.attempt,
            seed=self._seed(number),
            in_full=rollout.judged is None,
        )

    def _select(self, number: int) -> Rollout | None:
        """Begin an iteration: down the tree by equation 1, to a state without a program."""
        if self.root.judged is None:
            return self._first_program()
        running = len(self._rolling) + len(self._interrupted)
        if not self.settings.continued and self._done + running >= self.settings.rollouts:
            return None
        path = self._descend((self.root,), random.Random(self._seed(number)))
        if path is None:
            return None
        for state in path:
            state.out += 1
        rollout = Rollout(path=path, judged=path[-2].judged)
        self._aim(rollout, path[-1].transition)
        return rollout

    def _descend(self, path: tuple[State, ...], chance: random.Random) -> tuple[State, ...] | None:
        """The way on to a state without a program, the first that can be asked for in the order of equation 1; ties at random."""
        state = path[-1]
        if state.judged is None:
            return None if state.out else path
        parent_visits = state.visits + state.out
        rank = {
            s: (equation_1(self._mean(s), s.visits + s.out, parent_visits), chance.random())
            for s in self._expanded(state)
            if not s.is_closed
        }
        for successor in sorted(rank, key=rank.__getitem__, reverse=True):
            if (found := self._descend((*path, successor), chance)) is not None:
                return found
        state.is_closed = not state.out
        return None

    def _first_program(self) -> Rollout | None:
        if self._rolling or self.root.is_closed:
            return None
        rollout = Rollout(path=(self.root,), judged=None)
        self._aim(rollout, None)
        return rollout

    def _expanded(self, state: State) -> list[State]:
        """All successors in the graph, made at the first visit."""
        assert state.judged is not None, "a state without a program has no successors yet"
        if state.successors is None:
            deep = state.depth >= self.settings.depth
            actions = [] if deep else self._actions(state.judged)
            state.successors = [State(transition=action, depth=state.depth + 1) for action in actions]
        return state.successors

    def _actions(self, judged: Judged) -> list[Transition]:
        """The edges that leave the program's last technique in the graph, but for those known not to apply."""
        known = self.context.graph.successors(last_technique(self.context, judged.candidate))
        return list(with_match(self.context, judged.candidate, known))

    def _aim(self, rollout: Rollout, transition: Transition | None) -> None:
        """Let the rollout ask for this next, as an attempt of its own."""
        place = (rollout.judged.candidate.id if rollout.judged else "", transition)
        rollout.transition, rollout.attempt = transition, self._attempts[place]
        self._attempts[place] += 1

    # ---- learning

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        rollout = self._rolling.pop(proposal.id)
        if rollout.judged is None:
            self._begin(judged)
        elif judged.verdict.status is Status.SKIPPED:
            self._turn_aside(rollout, proposal.id)
        else:
            self._step(rollout, judged, proposal.id)

    def _begin(self, judged: Judged) -> None:
        """Take in an answer to the request for the first program."""
        if judged.verdict.passed:
            self.root.judged = judged
        self.root.is_closed |= judged.verdict.status is Status.SKIPPED

    def _step(self, rollout: Rollout, judged: Judged, number: int) -> None:
        """A judged step: go on from a program that is right, stop at the first failure."""
        speed = doublings(judged.verdict, self.context.yardstick)
        rollout.largest = max(rollout.largest, equation_3(judged.verdict, 2**speed if speed is not None else None))
        assert rollout.transition is not None, "a step has a transition"
        rollout.taken.append(rollout.transition)
        self._tries[_pair(rollout.transition)] += 1
        if not judged.verdict.passed:
            return self._end(rollout)
        if not rollout.steps:
            rollout.path[-1].judged = judged
            self._expanded(rollout.path[-1])
        rollout.judged, rollout.barred = judged, set()
        rollout.steps += 1
        return self._go_on(rollout, number)

    def _turn_aside(self, rollout: Rollout, number: int) -> None:
        """The technique does not apply here: no step, and no failure."""
        assert rollout.transition is not None
        if rollout.steps:
            rollout.barred.add(rollout.transition)
            return self._go_on(rollout, number)
        rollout.path[-1].is_closed = True
        return self._withdraw(rollout)

    def _go_on(self, rollout: Rollout, number: int) -> None:
        """Choose the next step by equation 2, or end."""
        assert rollout.judged is not None
        actions = [action for action in self._actions(rollout.judged) if action not in rollout.barred]
        if rollout.steps > self.settings.rollout_steps or not actions:
            return self._end(rollout)
        chance = random.Random(self._seed(number) + 1)
        if chance.random() < self.settings.chance_of_random:
            action = chance.choice(actions)
        else:
            action = max(actions, key=lambda a: (self._equation_2(_pair(a)), chance.random()))
        self._aim(rollout, action)
        self._interrupted.append(rollout)
        return None

    def _equation_2(self, pair: tuple[str, str]) -> float:
        """Q(s, a) - lambda N(s, a), both over the whole run; 0 for a pair never tried."""
        tries = self._tries[pair]
        return self._returns[pair] / tries - self.settings.penalty * tries if tries else 0.0

    def _end(self, rollout: Rollout) -> None:
        """The largest reward goes up the selected path."""
        self._done += 1
        for state in rollout.path:
            state.out -= 1
            state.visits += 1
            state.total += rollout.largest
            state.largest = max(state.largest, rollout.largest)
        steps = [state.transition for state in rollout.path[1:-1] if state.transition is not None]
        self._tries.update(_pair(step) for step in steps)
        for step in (*steps, *rollout.taken):
            self._returns[_pair(step)] += rollout.largest

    def _withdraw(self, rollout: Rollout) -> None:
        for state in rollout.path:
            state.out -= 1

    def _mean(self, state: State) -> float:
        """Q(s)."""
        if not state.visits:
            return 0.0
        return state.largest if self.settings.largest_return else state.total / state.visits

    def _forget(self, proposal: Proposal) -> None:
        self._interrupted.appendleft(self._rolling.pop(proposal.id))


def _pair(transition: Transition) -> tuple[str, str]:
    return transition.source, transition.target
