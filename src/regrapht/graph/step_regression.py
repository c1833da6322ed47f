"""Which technique follows, by regression on experts' steps: kernel ridge regression over the situations that they stood in.

A situation is the program, the task's sequential program, what was applied, and the family. Two are alike by a sum of kernels, one for each
way of looking at them: tokens, structure and memory access of the program, tokens and structure of the sequential one, the set applied, the
last technique, the family, and the number of steps. Targets are the techniques that the expert applied from there on, each next one worth
half as much: what is applied two steps on would mostly have been a good choice at once, and the data are few.

    (K + RIDGE I) A = Y,   scores(s) = k(s)' A

First steps and later ones are regressed apart: nothing that is known of the one says much of the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regrapht.graph.access_traits import access_traits
from regrapht.graph.code_features import code_features
from regrapht.graph.code_likeness import TokenIndex

RIDGE = 7.0
LATER_IS_WORTH = 0.5
MOST_STEPS = 2000
"""Steps regressed on; of more, so many, spread evenly, because the time grows with the cube."""
_STRUCTURE_SCALE, _ACCESS_SCALE, _ACCESS_WEIGHT, _SET_WEIGHT = 1.0, 0.35, 2.0, 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Where an expert, or a search, stands."""

    program: str
    reference: str
    applied: tuple[str, ...]
    family: str | None


class StepRegression:
    """The regression on the steps seen, ready for questions.

    Args:
        situations: Where each step was taken from.
        futures: For each, the techniques applied from there on, the next one first.
        slugs: The techniques, in the order of the scores.
    """

    def __init__(self, situations: Sequence[Situation], futures: Sequence[Sequence[str]], slugs: Sequence[str]) -> None:
        stride = max(1, -(-len(situations) // MOST_STEPS))
        self._column = {slug: place for place, slug in enumerate(slugs)}
        self._seen, futures = situations[::stride], futures[::stride]
        targets = np.zeros((len(self._seen), len(slugs)))
        for row, future in enumerate(futures):
            for later, slug in enumerate(future):
                targets[row, self._column[slug]] += LATER_IS_WORTH**later
        self._targets = targets
        self._parts: dict[bool, _Part] = {}

    def scores(self, situation: Situation) -> np.ndarray:
        """One number a technique, larger for a likelier one, about 0 to 1; all 0 where nothing was seen of such a step."""
        is_first = not situation.applied
        if is_first not in self._parts:
            rows = [row for row, one in enumerate(self._seen) if (not one.applied) == is_first]
            self._parts[is_first] = _Part([self._seen[row] for row in rows], self._targets[rows], self._column)
        return self._parts[is_first].scores(situation)


@dataclass(frozen=True, slots=True)
class _Read:
    """Situations as arrays, one row each; what does not come from the program is the same for a step and a question."""

    structure: np.ndarray
    access: np.ndarray
    reference_structure: np.ndarray
    sets: np.ndarray
    last: np.ndarray
    family: np.ndarray

    def __len__(self) -> int:
        return len(self.sets)


class _Part:
    """The first steps, or the later ones."""

    def __init__(self, seen: Sequence[Situation], targets: np.ndarray, column: dict[str, int]) -> None:
        self._column, self._width = column, targets.shape[1]
        self._is_empty = not seen
        if self._is_empty:
            return
        self._program_of, programs = _distinct([one.program for one in seen])
        self._reference_of, references = _distinct([one.reference for one in seen])
        self._programs, self._references = TokenIndex(programs), TokenIndex(references)
        self._seen = self._read(seen)
        self._access_unit = self._seen.access.std(axis=0) + 0.1
        of_programs = self._programs.all_cosines()[np.ix_(self._program_of, self._program_of)]
        of_references = self._references.all_cosines()[np.ix_(self._reference_of, self._reference_of)]
        gram = self._alike(self._seen, of_programs + of_references)
        self._weights = np.linalg.solve(gram + RIDGE * np.eye(len(seen)), targets)

    def scores(self, situation: Situation) -> np.ndarray:
        if self._is_empty:
            return np.zeros(self._width)
        tokens = self._programs.cosines(situation.program)[self._program_of]
        tokens = tokens + self._references.cosines(situation.reference)[self._reference_of]
        found: np.ndarray = (self._alike(self._read([situation]), tokens[None, :]) @ self._weights)[0]
        return found

    def _read(self, situations: Sequence[Situation]) -> _Read:
        sets = np.zeros((len(situations), self._width))
        for row, one in enumerate(situations):
            sets[row, [self._column[slug] for slug in one.applied if slug in self._column]] = 1
        return _Read(
            structure=np.stack([code_features(one.program) for one in situations]),
            access=np.stack([access_traits(one.program) for one in situations]),
            reference_structure=np.stack([code_features(one.reference) for one in situations]),
            sets=sets,
            last=np.array([one.applied[-1] if one.applied else "" for one in situations]),
            family=np.array([one.family or "" for one in situations]),
        )

    def _alike(self, asked: _Read, tokens: np.ndarray) -> np.ndarray:
        """The kernel between situations, a row each, and all that were seen."""
        seen = self._seen
        shared = asked.sets @ seen.sets.T
        mine, theirs = asked.sets.sum(axis=1)[:, None], seen.sets.sum(axis=1)[None, :]
        access = _near(asked.access / self._access_unit, seen.access / self._access_unit, _ACCESS_SCALE)
        found: np.ndarray = 1.0 + tokens + _ACCESS_WEIGHT * access
        found += _near(asked.structure, seen.structure, _STRUCTURE_SCALE)
        found += _near(asked.reference_structure, seen.reference_structure, _STRUCTURE_SCALE)
        found += (shared + 1) / (mine + theirs - shared + 1) + _SET_WEIGHT * shared
        found += np.exp(-((mine - theirs) ** 2) / 2)
        found += asked.last[:, None] == seen.last[None, :]
        found += (asked.family[:, None] == seen.family[None, :]) & (asked.family[:, None] != "")
        return found


def _near(rows: np.ndarray, columns: np.ndarray, scale: float) -> np.ndarray:
    """exp(-scale * d2) with d2 the mean squared difference, for each row against each column."""
    squares = (rows**2).sum(axis=1)[:, None] + (columns**2).sum(axis=1)[None, :] - 2 * rows @ columns.T
    found: np.ndarray = np.exp(-scale * np.maximum(squares, 0.0) / rows.shape[1])
    return found


def _distinct(texts: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """For each text its place among the distinct ones, and these."""
    place: dict[str, int] = {}
    return np.array([place.setdefault(text, len(place)) for text in texts], dtype=int), list(place)
