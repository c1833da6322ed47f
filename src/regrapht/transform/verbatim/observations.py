"""What was seen of a loop's turns when the reference ran: which two of them met where."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from regrapht.errors import SchemaError
from regrapht.records.task import Task

UNNAMED = "memory"
"""What is called so belongs to no variable in sight."""


class Met(StrEnum):
    """How two turns met at a place."""

    CARRIED = "carried"
    """One read what another had written."""
    OVERWRITTEN = "overwritten"
    """One wrote over what another had written or read, and nobody read another's value."""
    UPDATED = "updated"
    """Both updated it, as `x += e` does, and nobody looked at it in between."""
    EXPOSED = "exposed"
    """A turn read a value from before the loop where some turn writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Turns that met in what one name stands for."""

    kind: Met
    owner: str
    """`array x`, `object x` (a variable with what it owns), `other x` (one that the loop reaches by others, without its name) or
    `other memory`."""
    turns: tuple[int, int]
    """The first two that did."""
    offset: int
    """Of the byte, from the owner's start."""
    sites: tuple[int, ...]
    """Of updates: which statements made them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One loop, or one nest as if it were one loop."""

    number: int
    """Which the instrumented text gave it."""
    turns: int
    entries: int
    most_turns: int
    """Of one entry."""
    accesses: int
    """In the calls that the task lists."""
    meetings: tuple[Meeting, ...]

    def met(self, kind: Met) -> list[Meeting]:
        return [one for one in self.meetings if one.kind is kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """All loops of a reference on some inputs."""

    inputs: int
    sizes: tuple[str, ...]
    """The shapes that were run to the end, in words."""
    accesses: int
    """In the calls that the task lists: others show what meets, but may do other work than those that count."""
    loops: tuple[Seen, ...] = ()

    def of(self, number: int | None) -> Seen | None:
        """The loop of a number; None where it never ran."""
        return next((one for one in self.loops if one.number == number), None)


class Observer(Protocol):
    """Runs instrumented references, and remembers what a judge found against programs that rest on such runs."""

    def __call__(self, task: Task, text: str) -> Observations:
        """What an instrumented text of the task's reference did on inputs that are drawn.

        Raises:
            CannotTransform: It does not build, or does not come to an end.
        """
        ...

    def refuted(self, task: Task, program_hash: str) -> str | None:
        """What a judge found against a verbatim program of the task; None where it found nothing, or was not asked."""
        ...


def read_watched(text: str, *, sizes: tuple[str, ...], listed: Sequence[bool]) -> Observations:
    """The report of `runtime/watch.cpp`.

    Args:
        sizes: Of each call, in words.
        listed: Whether the task itself lists each call.

    Raises:
        SchemaError: It is none.
    """
    lines = text.splitlines()
    if not lines or lines[-1] != "end":
        raise SchemaError("the report of an instrumented run is damaged")
    accesses, inputs, loops = 0, 0, list[Seen]()
    number, counts, meetings = -1, (0, 0, 0, 0), list[Meeting]()

    def in_listed(calls: Sequence[int]) -> int:
        return sum(own for own, is_one in zip(calls, listed, strict=False) if is_one)

    def close() -> None:
        if number >= 0:
            turns, entries, most, own = counts
            one = Seen(
                number=number, turns=turns, entries=entries, most_turns=most, accesses=own, meetings=tuple(meetings)
            )
            loops.append(one)

    for line in lines[:-1]:
        word, _, rest = line.partition(" ")
        if word == "accesses":
            calls = [int(own) for own in rest.split()]
            accesses, inputs = in_listed(calls), len(calls)
        elif word == "loop":
            close()
            number, *read = map(int, rest.split())
            counts, meetings = (read[0], read[1], read[2], in_listed(read[3:])), []
        else:
            figures, _, owner = rest.partition("; ")
            _, first, second, offset, *sites = figures.split()
            seen = tuple(int(site) for site in "".join(sites).split(",") if site)
            meetings.append(
                Meeting(kind=Met(word), owner=owner, turns=(int(first), int(second)), offset=int(offset), sites=seen)
            )
    close()
    return Observations(inputs=inputs, sizes=sizes[:inputs], accesses=accesses, loops=tuple(loops))
