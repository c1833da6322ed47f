"""Rules on a program: in which ways they apply, what stands against them, and the program after one more."""

from dataclasses import dataclass

from regrapht.transform.plan.analysis import Program
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.decisions import Decision, shown
from regrapht.transform.rules.rule import Rule, Setting


class DoesNotApply(Exception):
    """A rule does not apply to a program; the text says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to apply a rule: some nests with one setting."""

    rule: Rule
    decision: Decision


def apply(program: Program, decision: Decision) -> Program:
    """The program with one more decision.

    Raises:
        DoesNotApply: It does not apply to one of its nests.
    """
    rule = BY_SLUG.get(decision.technique)
    if rule is None:
        raise DoesNotApply(f"the transform engine has no rule '{decision.technique}'")
    if program.nests:
        _check(program, rule, decision)
    if rule.one_nest and len(decision.nests) != 1:
        raise DoesNotApply(f"{rule.slug} takes one nest at a time")
    for nest in program.nests:
        if nest.number in decision.nests:
            nest.prepare(program.scop)
            reason = rule.reason_against(program, nest, decision.parameters)
            if reason is not None:
                raise DoesNotApply(f"{rule.slug}: nest {nest.number} (line {nest.line}): {reason}")
            program = rule.applied(program, nest, decision.parameters)
    return program


def _check(program: Program, rule: Rule, decision: Decision) -> None:
    """A decision names nests that there are and the rule's own parameters with values of theirs.

    Raises:
        DoesNotApply: It does not.
    """
    expected = [parameter.name for parameter in rule.parameters]
    if sorted(decision.parameters) != sorted(expected):
        raise DoesNotApply(f"{rule.slug} takes the parameters {', '.join(expected) or 'none'}")
    for parameter in rule.parameters:
        value = decision.parameters[parameter.name]
        if value not in parameter.values:
            known = ", ".join(map(shown, parameter.values))
            raise DoesNotApply(f"{rule.slug}: {parameter.name} is one of {known}, not {shown(value)}")
    numbers = {nest.number for nest in program.nests}
    if not decision.nests or not set(decision.nests) <= numbers:
        named = ", ".join(map(str, decision.nests)) or "none"
        raise DoesNotApply(f"{rule.slug} is for the nests {named}; the function has {', '.join(map(str, numbers))}")


def choices(program: Program, rule: Rule) -> list[Choice]:
    """All ways to apply a rule, in the order of attempts: each setting on all nests that it suits, then on single ones.

    Settings of less cost for the first nest that they suit come first; a task without timed sizes has them as the rule declares them.
    """
    found: list[tuple[float, Setting, list[int]]] = []
    settings = rule.settings()
    ordered = len(settings) > 1 and bool(program.task.bench_sizes)
    for setting in settings:
        fits = []
        for nest in program.nests:
            nest.prepare(program.scop)
            if rule.reason_against(program, nest, setting) is None:
                fits.append(nest)
        if fits:
            fits[0].prepare(program.scop)
            cost = rule.cost(program, fits[0], setting) if ordered else 0.0
            found.append((cost, setting, [nest.number for nest in fits]))
    found.sort(key=lambda one: one[0])
    together: list[Choice] = []
    single: list[Choice] = []
    for _, setting, numbers in found:
        if len(numbers) == 1 or not rule.one_nest:
            together.append(Choice(rule, Decision(technique=rule.slug, nests=tuple(numbers), parameters=setting)))
        if len(numbers) > 1 and not rule.all_nests:
            single += [
                Choice(rule, Decision(technique=rule.slug, nests=(number,), parameters=setting)) for number in numbers
            ]
    return together + single


def applies(program: Program, rule: Rule) -> bool:
    """Whether `choices` would find any."""
    for setting in rule.settings():
        for nest in program.nests:
            nest.prepare(program.scop)
            if rule.reason_against(program, nest, setting) is None:
                return True
    return False


def reason_against(program: Program, rule: Rule) -> str | None:
    """None when the rule applies somewhere; otherwise why it does not, nest by nest."""
    for nest in program.nests:
        nest.prepare(program.scop)
    return rule.applies(program)
