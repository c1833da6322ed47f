"""For each rule: whether it applies to a task's program, and if not, why not."""

from dataclasses import dataclass

from regrapht.propose.transform.decisions import Decision
from regrapht.propose.transform.engine import LOCK, Engine, reason_against
from regrapht.propose.transform.rules import RULES
from regrapht.records.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAnswer:
    """What one rule says of a program."""

    rule: str
    """The technique's slug."""
    applies: bool
    why_not: str | None


def explain(task: Task, decisions: tuple[Decision, ...]) -> list[RuleAnswer]:
    """The answers of all rules to the program that `decisions` make of `task`, in the order in which rules are offered.

    Raises:
        CannotTransform: The engine cannot take the task.
        DoesNotApply: A decision does not apply where it stands.
    """
    with LOCK:
        program = Engine().program(task, decisions)
        reasons = [(rule.slug, reason_against(program, rule)) for rule in RULES]
    return [RuleAnswer(rule=slug, applies=reason is None, why_not=reason) for slug, reason in reasons]
