"""What the transform engine's rules say of a function, for a terminal."""

import textwrap
from collections.abc import Sequence

from regrapht.transform import LoopAnswer, ParameterAnswer, RuleAnswer, RunTimeTest


def describe_rules(
    answers: Sequence[RuleAnswer],
    *,
    after: str,
    width: int,
    test: RunTimeTest | None = None,
    loops: Sequence[LoopAnswer] = (),
) -> str:
    """All rules: those that apply with what they do and their parameters, then those that do not with why not.

    `test` is what the program tests when it runs; `loops` what is known of the reference's loops.
    """
    fitting = [answer for answer in answers if answer.applies]
    others = [answer for answer in answers if not answer.applies]
    lines = [f"After {after}, {len(fitting)} of {len(answers)} rules apply.", ""]
    for loop in loops:
        place = f"line {loop.line}" if loop.file is None else f"{loop.file}, line {loop.line}"
        lines += textwrap.wrap(f"{place}: {loop.label}, {loop.how}", width, subsequent_indent="    ")
    if loops:
        lines.append("")
    if test is not None:
        lines += [*_needed(test, width), ""]
    for answer in fitting:
        lines += _applying(answer, width)
    if others:
        lines.append("These do not:")
        lines.append("")
    for answer in others:
        lines += _refused(answer, width)
    return "\n".join(lines).rstrip()


def _needed(test: RunTimeTest, width: int) -> list[str]:
    text = (
        f"The mapping needs {test.condition}: then {test.because}. The program tests it when it runs; where it does not hold, "
        f"{test.otherwise}. What a task.toml says in 'require' is not tested."
    )
    return textwrap.wrap(text, width)


def _applying(answer: RuleAnswer, width: int) -> list[str]:
    lines = [_name(answer)]
    lines += _wrapped(answer.explanation, width)
    lines += [line for parameter in answer.parameters for line in _wrapped(_values(parameter), width)]
    if len(answer.nests) > 1:
        lines += _wrapped(
            f"nests: {', '.join(map(str, answer.nests))} (one alone: {answer.short}@{answer.nests[0]})", width
        )
    return [*lines, ""]


def _refused(answer: RuleAnswer, width: int) -> list[str]:
    helps = f"; it would after {answer.comes_after}" if answer.comes_after else ""
    return [
        _name(answer),
        *_wrapped(f"{answer.why_not}{helps}", width),
        *_wrapped(f"for: {answer.condition}", width),
        "",
    ]


def _name(answer: RuleAnswer) -> str:
    short = f" ({answer.short})" if answer.short != answer.rule else ""
    return f"{answer.rule}{short}: {answer.title}"


def _values(parameter: ParameterAnswer) -> str:
    """The values to type; those that do not fit this program stand apart."""
    fitting = ", ".join(_typed(value) for value in parameter.values if value in parameter.fitting)
    rest = ", ".join(_typed(value) for value in parameter.values if value not in parameter.fitting)
    return f"{parameter.name}: {fitting}" + (f" (not here: {rest})" if rest else "")


def _typed(value: str) -> str:
    return value.replace(" ", "")


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
