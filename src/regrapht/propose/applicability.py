"""What a program's text says against a technique, where no compiler knows the program.

Only what is sure: the step is done already, or what it works on is not there. All else only who writes can tell.
"""

import re

from regrapht.records.candidate import Candidate

_MAPPED = re.compile(r"\b(?:threadIdx|blockIdx)\b")
_NEEDED = {
    "shared_memory_padding": re.compile(r"\b__shared__\b"),
    "dynamic_shared_memory": re.compile(r"\b__shared__\b"),
    "warp_aggregated_atomics": re.compile(r"\batomic\w+\b"),
}
"""Technique -> what it changes."""


def cannot_apply(candidate: Candidate, technique: str) -> bool:
    """Whether the technique is sure not to apply; False says nothing."""
    source = candidate.source
    if source is None:
        return True
    if technique.startswith("map_"):
        return _MAPPED.search(source) is not None
    needed = _NEEDED.get(technique)
    return needed is not None and needed.search(source) is None
