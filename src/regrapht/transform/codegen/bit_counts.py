"""Loops that count the bits of a word, as the one instruction that does the same."""

from collections.abc import Mapping

from regrapht.transform.ir.expressions import Binary, Call, Cast, Expression, Number, Variable, integer
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statements import Assign, Statement, Update, While


def counted_bits(loop: While, types: Mapping[str, str]) -> list[Statement] | None:
    """The statements that a loop over the bits of an unsigned word comes to; None where it is no such loop.

    Each turn clears the lowest bit (`x &= x - 1`) and counts 1, or shifts by one (`x >>= 1`) and counts the lowest bit.
    """
    word = _tested(loop.condition)
    if word is None or len(loop.body) != 2:
        return None
    steps = [one for one in loop.body if isinstance(one, Assign) and one.target == word]
    counts = [one for one in loop.body if isinstance(one, Update) and one.operator == "+" and one.target != word]
    if len(steps) != 1 or len(counts) != 1:
        return None
    (step,), (count,) = steps, counts
    kind = types.get(word.name, "")
    if not (is_integer(kind) and is_unsigned(kind)) or not isinstance(count.target, Variable):
        return None
    if not is_integer(types.get(count.target.name, "")) or not _counts(step.value, count, loop.body, word):
        return None
    call = Call("__popcll" if size_bytes(kind) == 8 else "__popc", (word,))
    total = Update(count.target, "+", Cast(types[count.target.name], call), count.line)
    return [total, Assign(word, Number("0", 0), step.line)]


def _tested(condition: Expression) -> Variable | None:
    """The variable that a condition compares with 0."""
    match condition:
        case Variable():
            return condition
        case Binary("!=" | ">", Variable() as word, zero) if integer(zero) == 0:
            return word
    return None


def _counts(value: Expression, count: Update, body: list[Statement], word: Variable) -> bool:
    """Whether a turn's new word and what it counts belong together."""
    less = Binary("-", word, Number("1", 1))
    match value:
        case Binary("&", left, right) if {left, right} == {word, less}:
            return integer(count.value) == 1
        case Binary(">>", left, one) if left == word and integer(one) == 1:
            lowest = isinstance(count.value, Binary) and count.value.operator == "&"
            bits = (count.value.left, count.value.right) if isinstance(count.value, Binary) else ()
            return lowest and body[0] is count and word in bits and any(integer(bit) == 1 for bit in bits)
    return False
