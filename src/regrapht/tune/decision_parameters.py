"""The open parameters of a program that the transform engine made: those of the rules among its decisions."""

import time
from collections import Counter
from dataclasses import replace

from regrapht.errors import CannotTransform, SchemaError
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.task import Task
from regrapht.source.program_hash import program_hash
from regrapht.transform import (
    BY_SLUG,
    Decision,
    DoesNotApply,
    Engine,
    Parameter,
    decisions_from_json,
    decisions_to_json,
    is_verbatim,
    shown,
)
from regrapht.tune.opening import CannotOpen, DoesNotFit, OpenParameter, Setting, words

_SHAPES_LAUNCH = frozenset({"block", "blocks", "threads"})
"""Parameters of rules that only say how many threads and blocks there are."""
_REGISTERS_FOLLOW = frozenset({"shared_memory_tiling", "register_tiling", "launch_bounds"})
"""With these the block's shape decides what a thread loads, or how many registers the compiler may give it."""


class DecisionOpening:
    """A candidate of the transform engine with the parameters of its decisions open.

    Raises:
        CannotOpen: No parameter of its rules changes the program.
        CannotTransform: The engine does not take the task.
    """

    def __init__(self, task: Task, candidate: Candidate) -> None:
        assert candidate.origin.decisions is not None
        try:
            self._decisions = decisions_from_json(candidate.origin.decisions)
        except SchemaError as error:
            raise CannotOpen(str(error)) from error
        if is_verbatim(self._decisions):
            raise CannotOpen("it keeps the bodies of loops as they are written, and its launches alone are left")
        self._task, self._tuned, self._engine = task, candidate, Engine()
        self._places: dict[str, tuple[int, Parameter]] = {}
        named = self._named()
        self._places = {opened.name: place for opened, place in named}
        alive = [opened for opened, _ in named if self._matters(opened, [each for each, _ in named])]
        self.parameters = tuple(alive)
        if not alive:
            raise CannotOpen("no parameter of its rules changes it")

    def candidate(self, setting: Setting) -> Candidate:
        """As `Opening.candidate`; parameters that `setting` leaves out stay as they are."""
        started = time.perf_counter()
        decisions = self._decided(setting)
        try:
            source = self._engine.text(self._task, decisions)
        except (DoesNotApply, CannotTransform) as error:
            raise DoesNotFit(str(error)) from error
        origin = Origin(
            proposer=self._tuned.origin.proposer,
            seconds=time.perf_counter() - started,
            decisions=decisions_to_json(decisions),
        )
        return Candidate(
            source=source,
            program_hash=program_hash(source),
            origin=origin,
            parent=self._tuned.id,
            techniques=self._tuned.techniques,
            explanation=f"Tuned: {words(setting)}.",
        )

    def _named(self) -> list[tuple[OpenParameter, tuple[int, Parameter]]]:
        """Every parameter of the decisions that has more than one value, with the place of its decision."""
        found = []
        count = Counter(decision.technique for decision in self._decisions)
        follow = any(decision.technique in _REGISTERS_FOLLOW for decision in self._decisions)
        for place, decision in enumerate(self._decisions):
            for parameter in BY_SLUG[decision.technique].parameters:
                values = tuple(shown(value) for value in parameter.values)
                start = shown(decision.parameters[parameter.name]) if decision.parameters else ""
                if start not in values or len(values) < 2:
                    continue
                several = count[decision.technique] > 1
                opened = OpenParameter(
                    name=f"{decision.technique}.{parameter.name}" + (f"#{place + 1}" if several else ""),
                    values=values,
                    start=start,
                    shapes_launch=parameter.name in _SHAPES_LAUNCH and not follow,
                )
                found.append((opened, (place, parameter)))
        return found

    def _decided(self, setting: Setting) -> tuple[Decision, ...]:
        decisions = list(self._decisions)
        for name, text in setting.items():
            place, parameter = self._places[name]
            value = next((value for value in parameter.values if shown(value) == text), None)
            if value is None:
                raise DoesNotFit(f"{name} has no value {text}")
            changed = {**decisions[place].parameters, parameter.name: value}
            decisions[place] = replace(decisions[place], parameters=changed)
        return tuple(decisions)

    def _matters(self, opened: OpenParameter, every: list[OpenParameter]) -> bool:
        """Whether another value gives another program; a block shape that a later rule replaces does not."""
        start = {each.name: each.start for each in every}
        for value in opened.values:
            if value != opened.start:
                try:
                    if self.candidate({**start, opened.name: value}).program_hash != self._tuned.program_hash:
                        return True
                except DoesNotFit:
                    continue
        return False
