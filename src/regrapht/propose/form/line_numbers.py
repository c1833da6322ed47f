"""Numbers in front of a block's lines, as listings have them."""

import re
from itertools import pairwise

FEWEST = 4
_NUMBERED = re.compile(r"[ \t\u2502|]*(\d{1,9})(?:[ \t]*[|\u2502:.)\]](?=\s|$|\S) ?|\t|  ?(?=\S| )|$)")


def without_line_numbers(code: str) -> str:
    """The code without them; as it is where a line has none, or they do not count on."""
    lines = code.split("\n")
    found = [_NUMBERED.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one is not None]
    are_all = all(one is not None or not line.strip() for one, line in zip(found, lines, strict=True))
    blank = sum(not line.strip() for line in lines)
    steps = [after - before for before, after in pairwise(numbers)]
    if not are_all or len(numbers) < FEWEST or not all(1 <= step <= 1 + blank for step in steps):
        return code
    return "\n".join(line[one.end() :] if one is not None else "" for one, line in zip(found, lines, strict=True))
