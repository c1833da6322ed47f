"""A call whose floats lie exactly on edges between two answers: halves that are rounded, the very ends of bins, equal keys.

There `round` is not `rint`, and `ceil(x) - 1` is not `floor(x)`. Honest programs add and multiply in another order and round otherwise, so
that rounding decides on an edge, unless nothing is rounded at all: floats of few digits and scalars that are powers of two have exact sums
and products. That is so where the reference only adds, multiplies, compares and rounds to whole numbers. Other tasks have no such call, and
their verdicts say so.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from regrapht.evaluate.cases.met_cases import powers_of
from regrapht.evaluate.compare.column import is_exact
from regrapht.evaluate.inputs.drawing import Inputs, raw_value
from regrapht.evaluate.inputs.element_arrays import Array, fields_of, stored
from regrapht.evaluate.inputs.families import domain_of, is_widened
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, Sizes, Task
from regrapht.source.tokens import Token, TokenKind, tokens

TIES = "floats that lie on edges between two answers"
"""In the place of what a case is near by."""
UNCHECKED = "ties_unchecked"
"""The label of a verdict without such a call, where an answer may hang on it."""
_ROUNDING = frozenset(("rint", "round", "nearbyint", "lrint", "lround", "llrint", "llround", "floor", "ceil", "trunc"))
_EXACT = _ROUNDING | {
    "abs",
    "fabs",
    "min",
    "max",
    "fmin",
    "fmax",
    "fma",
    "copysign",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "clamp",
    "swap",
}
_WORDS = frozenset(
    (
        "if",
        "for",
        "while",
        "switch",
        "return",
        "sizeof",
        "int",
        "float",
        "double",
        "long",
        "unsigned",
        "bool",
        "char",
        "short",
    )
)
_DEFINED = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*(?:const\s*|noexcept\s*)*\{")
_LITERAL_BITS, _LITERAL_MOST = 2.0**10, 2.0**12
_FINE, _COARSE = 8, 3
"""Digits behind the point: many for one element by itself, few where many are added up."""


def may_hang_on_ties(task: Task) -> bool:
    """Whether an answer can jump where a float is exactly on an edge, as far as types and the reference's text tell."""
    if not any(is_widened(arg) for arg in task.inputs):
        return False
    exact = any(is_exact(task, arg, field.scalar) for arg in task.outputs for field in fields_of(arg.dtype))
    called = {token.text for token in tokens(task.reference.source.text) if token.kind is TokenKind.NAME}
    return exact or any(_base_name(name) in _ROUNDING for name in called)


def has_ties(task: Task) -> bool:
    """Whether a task's answers on edges are the same for all honest programs."""
    return may_hang_on_ties(task) and computes_exactly(task)


def computes_exactly(task: Task) -> bool:
    """Whether the reference, in C or C++, does nothing with floats of few digits that is rounded on the way."""
    source = task.reference.source
    if source.suffix in (".py", ".cu"):
        return False
    dyadic = {arg.name for arg in task.parameters if arg.kind is ArgKind.SCALAR and _float_type(arg) is not None}
    own = {*_DEFINED.findall(source.text)}
    words = _words_of(source.text)
    for token, following in zip_longest(words, words[1:]):
        after = "" if following is None else following.text
        if token.text in ("/", "/=") and not (after in dyadic or _is_power_of_two(after)):
            return False
        if token.kind is TokenKind.NUMBER and not _has_few_digits(token.text):
            return False
        if token.kind is TokenKind.NAME and after == "(" and not _is_exact_call(token.text, own):
            return False
    return True


def on_edges(task: Task, base: Inputs, rng: np.random.Generator) -> list[Inputs]:
    """`base` with floats of few digits, halves among them, and with powers of two for its scalars; nothing where their ranges have none."""
    sizes = base.case.sizes
    values, arrays = dict(base.values), dict(base.arrays)
    scale = 1.0
    for arg in task.parameters:
        if arg.kind is ArgKind.SCALAR and _float_type(arg) is not None:
            allowed = sorted(powers_of(arg, sizes), key=lambda power: abs(math.log2(abs(power))))
            if not allowed:
                return []
            chosen = allowed[int(rng.integers(min(2, len(allowed))))]
            scale *= abs(chosen)
            values[arg.name] = raw_value(chosen, arg)
    lengths = [arg.reduction_length or task.tolerance.reduction_length for arg in task.outputs]
    digits = _FINE if all(length.evaluate(sizes) <= 1 for length in lengths) else _COARSE
    for arg in (one for one in task.inputs if is_widened(one)):
        scalar = _float_type(arg)
        assert scalar is not None, "only floats are widened"
        drawn = _few_digits(arg, sizes, arrays[arg.name].size, digits, scale, rng)
        if drawn is None:
            return []
        arrays[arg.name] = stored(drawn, scalar)
    return [replace(base, values=values, arrays=arrays)]


def unchecked_ties(task: Task, trials: Sequence[Trial]) -> tuple[str, ...]:
    """The label, where no call of `trials` is one and an answer may hang on it."""
    if not may_hang_on_ties(task) or any(trial.inputs.case.near == TIES for trial in trials):
        return ()
    return (UNCHECKED,)


def _few_digits(
    arg: Arg, sizes: Sizes, count: int, digits: int, scale: float, rng: np.random.Generator
) -> Array | None:
    """Odd multiples of powers of two: half of them become halves when they are multiplied by `scale`."""
    low, high = domain_of(arg, sizes)
    pool = np.array(
        [sign * odd * 2.0**-power for sign in (1, -1) for odd in range(1, 16, 2) for power in range(digits + 1)]
    )
    halves = np.array([sign * odd / (2 * scale) for sign in (1, -1) for odd in range(1, 16, 2)])
    pool, halves = pool[(pool >= low) & (pool <= high)], halves[(halves >= low) & (halves <= high)]
    if not pool.size:
        return None
    drawn = rng.choice(pool, count)
    return np.where(rng.random(count) < 0.5, rng.choice(halves, count), drawn) if halves.size else drawn


def _words_of(text: str) -> list[Token]:
    """The tokens of a text but for its `#include`s."""
    found: list[Token] = []
    inside: list[Token] | None = None
    for token in tokens(text):
        if token.kind is TokenKind.DIRECTIVE:
            inside = []
        elif token.kind is TokenKind.DIRECTIVE_END and inside is not None:
            found += inside if not inside or inside[0].text != "include" else []
            inside = None
        elif token.kind is not TokenKind.BLANK:
            (found if inside is None else inside).append(token)
    return found


def _is_exact_call(name: str, own: set[str]) -> bool:
    return name in own or name in _WORDS or _base_name(name) in _EXACT


def _base_name(name: str) -> str:
    return name.removesuffix("f") if name.removesuffix("f") in _EXACT else name


def _is_power_of_two(text: str) -> bool:
    number = text.rstrip("fFlLuU")
    return bool(re.fullmatch(r"\d+\.?0*", number)) and math.frexp(float(number))[0] == 0.5


def _has_few_digits(text: str) -> bool:
    """Whether a number is whole, or a fraction of few binary digits."""
    number = text.replace("'", "").rstrip("fFlLuU")
    if re.fullmatch(r"0[xXbB][\da-fA-F]+|\d+", text.replace("'", "").rstrip("lLuU")):
        return True
    try:
        value = float(number)
    except ValueError:
        return False
    return value * _LITERAL_BITS == int(value * _LITERAL_BITS) and abs(value) <= _LITERAL_MOST


def _float_type(arg: Arg) -> ScalarType | None:
    return arg.dtype if isinstance(arg.dtype, ScalarType) and arg.dtype.is_float else None
