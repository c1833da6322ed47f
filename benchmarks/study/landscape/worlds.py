"""Made-up landscapes with what makes real ones hard, so that searches can be studied before, and beyond, recorded ones.

A world has techniques in technique families and tasks in task families. A technique's effect, in doublings, is the world's mean plus what
the task's family and the task add; in some families it does not apply and costs a little. Chains of three open with a technique that gains
nothing: a valley. A technique before its prerequisite is wasted, so order matters. Pairs help or hinder each other, gains within one
technique family saturate, and every further technique costs more than the last. Some attempts are poor and can be mended by applying the
technique again. Nothing here says how fast any program is, nor how often experts are right: the proportions are assumptions.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

TECHNIQUES, TECHNIQUE_FAMILIES, TASK_FAMILIES = 40, 10, 6
WASTED = POOR = 0.3
"""Share of its effect that a technique keeps without its prerequisite, and in a poor attempt."""
_NONE, _LOW, _GOOD, _TWICE = range(4)

State = tuple[int, ...]
"""The level of every technique: none, poor or wasted, good, applied twice. Orders that do not matter meet in one state."""


@dataclass(frozen=True, kw_only=True)
class World:
    """What holds for all tasks of one world."""

    seed: int
    means: tuple[float, ...]
    needs: Mapping[int, int]
    """The technique that another is wasted without."""
    openers: frozenset[int]
    repeats: tuple[float, ...]
    """What a second application adds, as a share of the effect."""
    idle: frozenset[int]
    """Techniques whose second application changes nothing."""
    pairs: tuple[tuple[int, int, float], ...]
    clutter: float = 0.02

    @classmethod
    def draw(cls, seed: int) -> "World":
        """The world of that seed."""
        chance = random.Random(f"world/{seed}")
        means = [chance.gauss(0.0, 0.3) for _ in range(TECHNIQUES)]
        order = chance.sample(range(TECHNIQUES), TECHNIQUES)
        needs: dict[int, int] = {}
        openers = set()
        for opener, middle, last in zip(order[0:15:3], order[1:15:3], order[2:15:3], strict=True):
            openers.add(opener)
            needs |= {middle: opener, last: middle}
            means[opener] = chance.uniform(-0.15, 0.02)
            means[middle], means[last] = chance.uniform(0.3, 0.7), chance.uniform(0.4, 0.9)
        needs |= dict(zip(order[15:21:2], order[16:21:2], strict=True))
        drawn = [tuple(chance.sample(range(TECHNIQUES), 2)) for _ in range(125)]
        strengths = [chance.uniform(0.1, 0.5) for _ in range(35)] + [-chance.uniform(0.1, 0.6) for _ in range(90)]
        return cls(
            seed=seed,
            means=tuple(means),
            needs=needs,
            openers=frozenset(openers),
            repeats=tuple(0.3 if chance.random() < 0.5 else -0.4 for _ in range(TECHNIQUES)),
            idle=frozenset(t for t in range(TECHNIQUES) if chance.random() < 1 / 3),
            pairs=tuple((a, b, gain) for (a, b), gain in zip(drawn, strengths, strict=True)),
        )

    def task(self, family: int, number: int) -> "WorldTask":
        """One task of a family."""
        of_family = random.Random(f"family/{self.seed}/{family}")
        of_task = random.Random(f"task/{self.seed}/{family}/{number}")
        effects, applies = [], []
        for technique, mean in enumerate(self.means):
            deviation = of_family.gauss(0, 0.25)
            is_applicable = of_family.random() > 0.38
            noise = of_task.gauss(0, 0.2)
            effects.append(mean + deviation + noise if is_applicable else -abs(of_family.gauss(0.05, 0.05)))
            applies.append(is_applicable or technique in self.openers)
        return WorldTask(world=self, family=family, number=number, effects=tuple(effects), applies=tuple(applies))


@dataclass(frozen=True, kw_only=True)
class WorldTask:
    """One task: what every state of its program gains, in doublings."""

    world: World
    family: int
    number: int
    effects: tuple[float, ...]
    applies: tuple[bool, ...]

    @property
    def name(self) -> str:
        return f"world-{self.world.seed}-family-{self.family}-task-{self.number}"

    def gain(self, state: State) -> float:
        """Doublings over the plain program."""
        return float(self.gains([state])[0])

    def gains(self, states: Sequence[State]) -> np.ndarray:
        """As `gain`, of many states at once."""
        effects, twice, first, second, strength = self._arrays
        levels = np.array(states, dtype=np.int8)
        shares = np.zeros(levels.shape)
        shares[levels == _LOW] = WASTED
        shares[levels == _GOOD] = 1.0
        own = (shares + (levels == _TWICE) * twice) * effects
        # Within a family the best counts in full and every further one less.
        by_family = np.maximum(own, 0).reshape(len(levels), -1, TECHNIQUE_FAMILIES)
        ranked = -np.sort(-by_family, axis=1)
        fading = 0.7 ** np.arange(ranked.shape[1])
        total = (ranked * fading[:, None]).sum(axis=(1, 2)) + np.minimum(own, 0).sum(axis=1)
        together = (levels[:, first] >= _GOOD) & (levels[:, second] >= _GOOD)
        return total + together @ strength - self.world.clutter * (levels > _NONE).sum(axis=1) ** 2

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        """Effects, shares of a second application, and the pairs as three columns."""
        pairs = (np.asarray(part) for part in zip(*self.world.pairs, strict=True))
        return np.asarray(self.effects), 1 + np.asarray(self.world.repeats), *pairs

    def after(self, state: State, technique: int, *, poor: bool) -> State:
        """The state after an attempt at a technique."""
        need, level = self.world.needs.get(technique), state[technique]
        is_low = poor or (need is not None and state[need] == _NONE)
        if level in (_NONE, _LOW):
            new = _LOW if is_low else _GOOD
        else:
            new = level if technique in self.world.idle else _TWICE
        return (*state[:technique], new, *state[technique + 1 :])

    @cached_property
    def best_gain(self) -> float:
        """Of the best state that a wide beam search over the truth finds: at least that of any state on its way."""
        beam: list[State] = [PLAIN_STATE]
        best = 0.0
        for _ in range(14):
            ahead = sorted({self.after(state, t, poor=False) for state in beam for t in range(TECHNIQUES)})
            gains = self.gains(ahead)
            ranked = [ahead[i] for i in np.argsort(-gains)]
            # Openers gain nothing at first: some states that hold one are kept so that the valley behind them is crossed.
            opened = [state for state in ranked[100:] if any(state[t] for t in self.world.openers)]
            beam = ranked[:100] + opened[:50]
            best = max(best, float(gains.max()))
        return best

    def expert(self, chance: random.Random) -> list[tuple[int, float]]:
        """The techniques an expert applies, with their gains: who half sees the truth, and knows what opens what and when to stop."""
        state, taken = PLAIN_STATE, []
        for _ in range(chance.randint(3, 7)):
            outlooks = {t: gain + chance.gauss(0, 0.35) for t, gain in self._outlooks(state).items() if not state[t]}
            choice = max(outlooks, key=outlooks.__getitem__)
            if outlooks[choice] < 0.1:
                break
            before, state = self.gain(state), self.after(state, choice, poor=False)
            taken.append((choice, self.gain(state) - before))
        return taken

    def _outlooks(self, state: State) -> dict[int, float]:
        """What each technique gains now, or half of what it gains together with the one it opens."""
        after = [self.after(state, t, poor=False) for t in range(TECHNIQUES)]
        opened = [(need, t) for t, need in self.world.needs.items() if not state[t]]
        later = [self.after(after[need], t, poor=False) for need, t in opened]
        gains = self.gains([*after, *later]) - self.gain(state)
        outlooks = {t: float(gains[t]) for t in range(TECHNIQUES)}
        for (need, _), gain in zip(opened, gains[TECHNIQUES:], strict=True):
            outlooks[need] = max(outlooks[need], float(gain) / 2)
        return outlooks


PLAIN_STATE: State = (_NONE,) * TECHNIQUES


def slug(technique: int) -> str:
    """The technique's name in graphs and candidates."""
    return f"technique-{technique:02d}"


def family_of(technique: int) -> str:
    """The technique's family."""
    return f"family-{technique % TECHNIQUE_FAMILIES}"


def as_text(state: State) -> str:
    """The state as a program's name."""
    return "".join(map(str, state))


def as_state(text: str) -> State:
    """The state that a name stands for."""
    return tuple(map(int, text))


def expert_paths(world: World, *, paths: int) -> Sequence[tuple[int, int, list[tuple[int, float]]]]:
    """What experts did on other tasks of the world, as (family, task number, techniques with gains); a twentieth of the labels is wrong."""
    chance = random.Random(f"experts/{world.seed}")
    known = []
    for number in range(paths):
        family = number % TASK_FAMILIES
        taken = world.task(family, 1000 + number).expert(chance)
        labelled = [
            (chance.randrange(TECHNIQUES) if chance.random() < 0.05 else technique, gain) for technique, gain in taken
        ]
        if labelled:
            known.append((family, 1000 + number, labelled))
    return known


def measured(gain: float, chance: random.Random, *, noise: float) -> float:
    """A gain as a timing with this relative noise shows it."""
    return gain + chance.gauss(0, noise) / math.log(2)
