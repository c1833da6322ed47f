"""A run's candidates as a page shows them: with gains, numbered, as rows of a table and as a tree that opens on the way to the best."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from regrapht.records.measurement import Scale, Yardstick
from regrapht.store.reader import StepLine

BEST, PASSED, REFUSED, ROOT = "#c2571a", "#2b7a4b", "#b8b8b8", "#2b5f8a"
"""Told apart in grey too: refused is light, passed dark, the best way has thick lines besides."""


@dataclass(slots=True, kw_only=True)
class Walked:
    """A judged candidate with its place in the run."""

    number: int
    """From 1, in the order of judging."""
    step: StepLine
    gain: float | None
    """Start of the yardstick over this candidate; None unless it passed."""
    parent: int | None
    same_as: int | None
    """The number that judged this very program first."""
    children: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What was tried, in a word."""
        return self.step.technique or ("first program" if self.step.parent is None else self.step.kind)


class Walk:
    """All judged candidates of a run so far; more may be taken in while it goes on."""

    def __init__(self, yardstick: Yardstick | None) -> None:
        self._yardstick = yardstick
        self.steps: list[Walked] = []
        self._number_of: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self.last_sequence = 0
        """The event that was taken in last."""

    def take(self, lines: Sequence[StepLine]) -> list[Walked]:
        """Take further candidates in, in their order; those taken."""
        begun = len(self.steps)
        for line in lines:
            self.last_sequence = line.sequence
            if line.is_choice:
                continue
            number = len(self.steps) + 1
            parent = self._number_of.get(line.parent) if line.parent is not None else None
            same = self._first.get(line.program) if line.program is not None else None
            self.steps.append(Walked(number=number, step=line, gain=self._gain(line), parent=parent, same_as=same))
            self._number_of.setdefault(line.candidate, number)
            if line.program is not None:
                self._first.setdefault(line.program, number)
            if parent is not None:
                self.steps[parent - 1].children.append(number)
        return self.steps[begun:]

    @property
    def best(self) -> Walked | None:
        """The best that passed while searching."""
        passed = [step for step in self.steps if step.gain is not None]
        return max(passed, key=lambda step: step.gain or 0.0, default=None)

    def way(self, to: Walked | None) -> list[int]:
        """The numbers on the way from the first program to one, in order."""
        found: list[int] = []
        while to is not None and to.number not in found:
            found.append(to.number)
            to = self.steps[to.parent - 1] if to.parent is not None else None
        return found[::-1]

    @property
    def unit(self) -> str:
        """What gains are, in words."""
        if self._yardstick is None:
            return "gain"
        word = "x as fast as" if self._yardstick.scale is Scale.MEASURED_US else "x lower modelled cost than"
        return f"{word} {self._yardstick.start_name}"

    def rows(self, steps: Sequence[Walked] | None = None) -> list[dict[str, Any]]:
        """Rows of the table."""
        return [
            {
                "number": step.number,
                "technique": step.name,
                "status": step.step.status,
                "gain": round(step.gain, 3) if step.gain is not None else None,
                "reason": (f"as #{step.same_as}: " if step.same_as else "") + step.step.reason[:160],
                "parent": step.parent,
                "writer": step.step.proposer,
                "tokens": step.step.tokens or None,
            }
            for step in (self.steps if steps is None else steps)
        ]

    def tree(self, task: str) -> dict[str, Any]:
        """Nested nodes for a drawing, folded but for the way to the best program, which is the last of its siblings: there is room
        for its labels beside it."""
        way = set(self.way(self.best))
        nodes = {step.number: self._node(step, way) for step in self.steps}
        roots: list[dict[str, Any]] = []
        for step in sorted(self.steps, key=lambda step: step.number in way):
            siblings = roots if step.parent is None else nodes[step.parent]["children"]
            siblings.append(nodes[step.number])
        return {"name": task, "value": 0, "children": roots, "collapsed": False, "itemStyle": {"color": ROOT}}

    def _node(self, step: Walked, way: set[int]) -> dict[str, Any]:
        on_way = step.number in way
        colour = BEST if on_way else PASSED if step.gain is not None else REFUSED
        told = f"{step.gain:.2f} x" if step.gain is not None else step.step.status
        node: dict[str, Any] = {"name": f"#{step.number} {step.name} {told}", "value": step.number}
        if step.children:
            node |= {"children": [], "collapsed": not on_way}
        if colour != PASSED:  # which is the drawing's own
            node["itemStyle"] = {"color": colour, "borderColor": colour}
        if on_way:
            node |= {"lineStyle": {"color": BEST, "width": 3}, "label": {"show": True}}
        return node

    def _gain(self, line: StepLine) -> float | None:
        """As `report.story.gain`."""
        if line.status != "PASSED" or self._yardstick is None:
            return None
        cost = line.time_us if self._yardstick.scale is Scale.MEASURED_US else line.modelled_cost
        return self._yardstick.start / cost if cost else None
