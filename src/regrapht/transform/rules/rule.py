"""What every rule is: a technique that explains itself, says where it applies, and changes the schedule of a nest."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Schedule
from regrapht.transform.rules.decisions import Value

Setting = Mapping[str, Value]
NO_NEST = "the function has no loop whose iterations are known in advance: it runs in one thread"
"""Why no rule applies to a program without nests."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One open number of a rule, with its values in the order in which attempts try them."""

    name: str
    values: tuple[Value, ...]


def number(setting: Setting, name: str) -> int:
    """A parameter that is one number."""
    value = setting[name]
    assert isinstance(value, int)
    return value


def shape(setting: Setting, name: str) -> tuple[int, ...]:
    """A parameter that is a list of numbers."""
    value = setting[name]
    assert isinstance(value, list)
    return tuple(value)


class Rule(ABC):
    """One technique. `settings` are tried in their order, one an attempt."""

    slug: ClassVar[str]
    title: ClassVar[str]
    condition: ClassVar[str]
    """What a nest must look like, for a reader."""
    explanation: ClassVar[str]
    """What it does to the code and why that helps, one sentence for a reader."""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    after: ClassVar[tuple[str, ...]] = ()
    """Techniques that make a nest ready for this one, the best first: asked for without them, the first that fits comes along."""
    all_nests: ClassVar[bool] = False
    """Whether it is only ever applied to all nests that it suits together."""

    one_nest: ClassVar[bool] = False
    """Whether it is only ever applied to one nest at a time, because it changes their number."""

    def settings(self) -> list[Setting]:
        """All combinations of the parameters; the last one varies slowest."""
        found: list[Setting] = [{}]
        for parameter in self.parameters:
            found = [{**setting, parameter.name: value} for value in parameter.values for setting in found]
        return found

    def cost(self, program: Program, nest: Nest, setting: Setting) -> float:
        """What orders the settings that apply: those of less cost come first, equal ones as they are declared.

        A ratio between settings of one rule at the task's timed sizes, from a few properties of the device; no time.
        """
        return 0.0

    @abstractmethod
    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        """Why the technique does not apply to a nest; None when it does."""

    @abstractmethod
    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        """The nest's schedule with the technique applied. Only called where `reason_against` is None."""

    def applied(self, program: Program, nest: Nest, setting: Setting) -> Program:
        """The program with the technique applied to one nest."""
        before = program.schedules.get(nest.number)
        techniques = (*(before.techniques if before else ()), self.slug)
        return program.with_schedule(nest, replace(self.change(program, nest, setting), techniques=techniques))

    def applies(self, program: Program) -> str | None:
        """None when the technique applies to some nest with some parameters; otherwise why it does not."""
        if not program.nests:
            return NO_NEST
        reasons = []
        for nest in program.nests:
            found = [self.reason_against(program, nest, setting) for setting in self.settings()]
            if None in found:
                return None
            reasons.append(f"nest {nest.number} (line {nest.line}): {found[0]}")
        return "; ".join(reasons)
