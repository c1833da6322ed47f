"""Which dimension of an output a program's index lacks, where elements are left that were never written."""

import re
from collections.abc import Iterable

from regrapht.records.task import Arg, Task
from regrapht.records.verdict import Status, Verdict

_FIRST = re.compile(r"^(\w+): .*?\bfirst at \1((?:\[\d+\])+)", re.DOTALL)
_GIVEN = re.compile(r"(?<![\w.])(\w+)\s*[-+*/|^&]?=(?!=)\s*((?:(?!,\s*[*&]?\s*\w+\s*=(?!=))[^;{}])*)")
"""A name and what it is given, in a declaration, an assignment or the head of a loop."""
_WORD = re.compile(r"[A-Za-z_]\w*")


def unwritten_hints(task: Task, verdict: Verdict, source: str) -> list[str]:
    """Where an element of the output that is named stands, and which of its dimensions has no index; none for any other verdict."""
    first = _FIRST.match(verdict.reason) if verdict.status is Status.UNWRITTEN else None
    output = next((arg for arg in task.outputs if first is not None and arg.name == first[1]), None)
    if first is None or output is None or len(output.shape) < 2:
        return []
    extents = [one.c_text for one in output.shape]
    place = [int(one) for one in re.findall(r"\d+", first[2])]
    shape = "".join(f"[{extent}]" for extent in extents)
    return [
        f"`{output.name}` is {output.name}{shape} in one piece: its element {_element(len(extents))} is "
        f"`{output.name}[{_flat(extents)}]`. " + _missing(output, extents, place, source)
    ]


def _missing(output: Arg, extents: list[str], place: list[int], source: str) -> str:
    used = _names_in_indices(output.name, source)
    for number, extent in enumerate(extents):
        counters = _counters(extent, source)
        if counters and not counters & used and not extent.isdigit():
            listed = " or ".join(f"`{name}`" for name in sorted(counters))
            return f"No index of it in the program uses {listed}, which counts {_dimension(number, extent)}: put it in."
    beyond = [number for number, one in enumerate(place) if one > 0]
    if len(beyond) == 1 and len(place) == len(extents):
        (number,) = beyond
        dimension = _dimension(number, extents[number])
        return f"What is first left is at {place[number]} of {dimension}: the program writes too few places of that dimension."
    return "Each place of each dimension has to be written."


def _dimension(number: int, extent: str) -> str:
    return f"dimension {number + 1} (of length `{extent}`)"


def _element(dimensions: int) -> str:
    return "".join(f"[i{number + 1}]" for number in range(dimensions))


def _flat(extents: list[str]) -> str:
    text = "i1"
    for number, extent in enumerate(extents[1:], start=2):
        inner = text if number == 2 else f"({text})"
        text = f"{inner} * {extent if _WORD.fullmatch(extent) or extent.isdigit() else f'({extent})'} + i{number}"
    return text


def _counters(extent: str, source: str) -> set[str]:
    """The names that the program gives values and compares with an extent, each alone: threads' guards, heads of loops."""
    compared = re.findall(
        rf"(?:[(;{{}},]|\|\||&&)\s*([A-Za-z_]\w*)\s*(?:>=|<)\s*\(?{re.escape(extent)}\)?(?=\s*(?:[);]|\|\||&&))", source
    )
    return set(compared) & {found[1] for found in _GIVEN.finditer(source)}


def _names_in_indices(output: str, source: str) -> set[str]:
    """The names that the output's indices are made of, in the end; those of pointers into it included."""
    given = [(found[1], set(_WORD.findall(found[2]))) for found in _GIVEN.finditer(source)]
    pointers = {output}
    for name, words in given:
        if words & pointers:
            pointers.add(name)
    used = set(_words(text for name in pointers for text in re.findall(rf"\b{name}\s*\[([^;]*?)\]\s*[^;]*;", source)))
    used |= {word for name, words in given if name in pointers for word in words}
    while True:
        more = {word for name, words in given if name in used for word in words} - used
        if not more:
            return used
        used |= more


def _words(texts: Iterable[str]) -> Iterable[str]:
    return (word for text in texts for word in _WORD.findall(text))
