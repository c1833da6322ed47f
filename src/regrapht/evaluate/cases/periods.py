"""Turns after which places that a text computes come again: what wraps around or is divided with a remainder meets there, not before.

`(i * 4194304u) >> 12` has 1024 values, `(unsigned short)i` 65536, and `(i * 7919) % n` fewer than n where 7919 divides n.
"""

import math
import re
from collections.abc import Sequence

from regrapht.source.tokens import without_comments

_WORD = 2**32
_LONGEST = 2**16
"""Longer ones are beyond what a run can show."""
_NARROW = re.compile(r"\bshort\b|\bu?int16_t\b")
_SHIFTED = re.compile(r"<<\s*(\d+)")


def wrapping_periods(source: str, numbers: Sequence[float]) -> list[int]:
    """How many turns unsigned products by the text's numbers take to come back to where they began, and counters of its 16-bit types; those
    of 8 bits come back so soon that any run shows it.

    Args:
        numbers: Those of the text.
    """
    read = without_comments(source, without_strings=True)
    factors = [int(number) for number in numbers if number == int(number) and number > 0]
    factors += [2 ** int(places) for places in _SHIFTED.findall(read) if int(places) < 32]
    found = {_WORD // math.gcd(factor, _WORD) for factor in factors}
    found |= {_LONGEST} if _NARROW.search(read) else set()
    return sorted(period for period in found if 1 < period <= _LONGEST)


def common_multiples(numbers: Sequence[float], start: int, most: int) -> list[int]:
    """Lengths that the text's numbers divide: a multiple of `start` that as many of them as possible divide, and one for each other.

    Args:
        most: The longest.
    """
    joint, alone = start, list[int]()
    for number in sorted({int(n) for n in numbers if n == int(n) and 1 < n <= most}):
        together = math.lcm(joint, number)
        if together <= most:
            joint = together
        else:
            alone.append(2 * number if 2 * number <= most else number)
    return [joint, *alone]
