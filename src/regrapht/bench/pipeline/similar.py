"""Kernels that are nearly the same program: of two, the first is kept."""

from collections import Counter

from regrapht.bench.pipeline.outcomes import Dropped
from regrapht.source.shingles import shingles, similarity

ALIKE = 0.5
"""The Jaccard index of 7-token shingles from which two programs count as one, as between corpus and suites."""


class KernelIndex:
    """The kernels seen so far, by the runs of tokens that they hold."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._runs: list[frozenset[str]] = []
        self._holders: dict[str, list[int]] = {}

    def add(self, name: str, text: str) -> None:
        """Take a kernel in.

        Raises:
            Dropped: `near_duplicate`: one that came before is nearly the same.
        """
        runs = shingles(text)
        shared = Counter(holder for run in runs for holder in self._holders.get(run, ()))
        for holder, _ in shared.most_common():
            if (index := similarity(runs, self._runs[holder])) >= ALIKE:
                raise Dropped("near_duplicate", f"{index:.2f} like {self._names[holder]}")
        for run in runs:
            self._holders.setdefault(run, []).append(len(self._names))
        self._names.append(name)
        self._runs.append(runs)
