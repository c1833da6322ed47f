"""Replies that nobody means: code without end, the same again and again, or nested deeper than any program.

What they cost to read grows with the square of their length or worse, so they are recognised before anything else is asked of them; this
takes time that is linear in the length.
"""

import zlib
from typing import TYPE_CHECKING

from regrapht.prompts.fences import fenced_blocks
from regrapht.source.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_CODE = 40_000
"""Characters of the code of a reply, all blocks together, that is mended, some ten thousand tokens; a longer one is taken as it is."""
MOST_BLOCKS = 24
"""So many blocks of a reply, the last ones, are looked at one by one."""
DEEPEST_BRACKETS = 128
"""Clang takes twice as many; the deepest accepted program of ours has fewer than twenty."""
DEEPEST_TREE = 600
"""Of a syntax tree, where a sum of 300 terms is as deep as it has terms."""
REPEATED_FROM = 8000
"""Characters of code from which on it is looked at for how often it repeats itself."""
MOST_REPEATED = 25.0
"""So much shorter zlib makes a text of which nearly all is repeated; programs get three to eight times as short."""
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def is_too_long(text: str) -> bool:
    """Whether a reply has more code than is mended."""
    return sum(map(len, _codes(text))) > LONGEST_CODE


def why_not_meant(text: str) -> str | None:
    """Why no program is looked for in a reply; None for nearly every one. To be asked of what is not too long."""
    for code in _codes(text):
        if len(code) > REPEATED_FROM and _shrinks(code.strip()) > MOST_REPEATED:
            return "the reply's code is the same again and again: the model repeats itself"
        if _deepest_bracket(code) > DEEPEST_BRACKETS or _is_deeper(parse(code, cuda=True), DEEPEST_TREE):
            return "the reply's code is nested deeper than any program: the model repeats itself"
    return None


def _codes(text: str) -> list[str]:
    blocks = fenced_blocks(text)
    return [block.text for block in blocks] if blocks else [text]


def _shrinks(code: str) -> float:
    data = code.encode("utf-8", "replace")
    return len(data) / len(zlib.compress(data))


def _deepest_bracket(code: str) -> int:
    depth = deepest = 0
    for char in code:
        if char in _BRACKETS:
            depth = max(0, depth + _BRACKETS[char])
            deepest = max(deepest, depth)
    return deepest


def _is_deeper(root: "Node", limit: int) -> bool:
    """Whether the tree has a node under more than `limit` others."""
    cursor = root.walk()
    while True:
        if cursor.depth > limit:
            return True
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return False
