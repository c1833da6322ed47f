"""Where an application spends its time: clocks in a copy of it, or what `perf report` or `gprof` printed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.session.port.compile_log import QUIET, CompileLog
from regrapht.session.port.copies import Ran, build, run
from regrapht.session.port.functions_of import OwnFunction, as_run, put_into, working
from regrapht.session.port.watching import CLOCK, CLOCK_NAME

_PERCENT = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*%?\s+(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The time of one function, as parts of the whole program's."""

    share: float
    """With what it calls."""
    own: float
    calls: int | None
    """None where the profile does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The time of all functions that were seen, and who called them."""

    spent: dict[str, Spent]
    """By `OwnFunction.usr`."""
    callers: dict[str, frozenset[str]] = field(default_factory=dict)
    ways: dict[str, str] = field(default_factory=dict)
    """Of a template: what the compiler calls the instance that took most of its time."""
    how: str
    again: Ran | None = None
    """The application's run that it is of, where there was one."""

    def ranked(self, found: Sequence[OwnFunction], least: float) -> tuple[OwnFunction, ...]:
        """Those with at least that share, the largest first; a caller before what it calls."""
        spent = (one for one in found if one.usr in self.spent and self.spent[one.usr].share >= least)
        seen = [as_run(one, self.ways.get(one.usr)) for one in spent]
        below = {one.usr: self._depth(one.usr, frozenset()) for one in seen}
        return tuple(sorted(seen, key=lambda one: (-round(self.spent[one.usr].share, 3), below[one.usr], one.name)))

    def _depth(self, usr: str, seen: frozenset[str]) -> int:
        outer = self.callers.get(usr, frozenset()) - seen - {usr}
        return 1 + max((self._depth(one, seen | {usr}) for one in outer), default=0)


def clocked(copy: Path, found: Sequence[OwnFunction], build_command: str, run_command: str, notes: Path) -> Profile:
    """Build and run `copy`, a fresh one, with clocks in it.

    Raises:
        ConfigError: It does not build or run so.
    """
    watched = [one for one in found if one.name == "main"]
    watched += [one for one in working(found) if one.name != "main"]
    notes.mkdir(parents=True, exist_ok=True)
    header, times = notes / CLOCK_NAME, notes / "times"
    header.write_text(CLOCK.replace("@FILE@", str(times)), encoding="utf-8")
    times.unlink(missing_ok=True)
    named = {True: ", __PRETTY_FUNCTION__", False: ""}
    texts = {
        one: f" regrapht_clock::Scope regrapht_clock_scope({number}{named[bool(one.instances)]});"
        for number, one in enumerate(watched)
    }
    put_into(copy, texts, str(header))
    quiet = CompileLog(notes / "compiler").open() | QUIET
    build(build_command, copy, what="the copy with clocks does not build", environment=quiet)
    ran = run(run_command, copy)
    if not times.is_file():
        raise ConfigError(
            f"the copy with clocks ended with {ran.exit_code} and left no times: does it end by itself? give --profile FILE"
        )
    return replace(_read_times(times.read_text(encoding="utf-8"), watched), again=ran)


def _read_times(text: str, watched: Sequence[OwnFunction]) -> Profile:
    totals: dict[int, tuple[int, float, float]] = {}
    callers: dict[str, set[str]] = {}
    ways: dict[str, list[tuple[float, str]]] = {}
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "w":
            ways.setdefault(watched[int(words[0])].usr, []).append((float(words[1]), " ".join(words[2:])))
        elif kind == "f":
            totals[int(words[0])] = (int(words[1]), float(words[2]), float(words[3]))
        elif int(words[0]) >= 0:
            callers.setdefault(watched[int(words[1])].usr, set()).add(watched[int(words[0])].usr)
    whole = max((inside for _, inside, _ in totals.values()), default=0.0) or 1e-9
    spent = {
        watched[number].usr: Spent(share=inside / whole, own=own / whole, calls=calls)
        for number, (calls, inside, own) in totals.items()
    }
    return Profile(
        spent=spent,
        callers={usr: frozenset(outer) for usr, outer in callers.items()},
        ways={usr: max(each)[1] for usr, each in ways.items()},
        how="clocks in a copy of it",
    )


def given(file: Path, found: Sequence[OwnFunction]) -> Profile:
    """What `perf report --stdio`, `gprof -b -p` or lines of `PERCENT NAME` say; a function's share counts what only it calls.

    Raises:
        ConfigError: The file cannot be read, or names no function of the application.
    """
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(
            f"--profile {file}: {error.strerror}; give what perf report --stdio or gprof printed"
        ) from error
    own: dict[str, float] = {}
    for line in text.splitlines():
        found_line = _PERCENT.match(line)
        if found_line is None:
            continue
        named = re.findall(r"[A-Za-z_]\w*(?:::~?\w+)*", found_line.group(2).split("(")[0])
        for one in found:
            if named and (named[-1] == one.name or one.name.endswith("::" + named[-1])):
                own[one.usr] = own.get(one.usr, 0.0) + float(found_line.group(1)) / 100
    if not own:
        raise ConfigError(f"--profile {file}: names no function of the application; lines are PERCENT ... NAME")
    known = {one.usr: one for one in found}
    callers: dict[str, set[str]] = {}
    for one in found:
        for called in one.calls & set(known) - {one.usr}:
            callers.setdefault(called, set()).add(one.usr)

    def inside(usr: str, seen: frozenset[str]) -> float:
        only = [each for each in known[usr].calls & set(known) - seen if callers[each] == {usr}]
        return own.get(usr, 0.0) + sum(inside(each, seen | {usr}) for each in only)

    spent = {
        usr: Spent(share=min(inside(usr, frozenset({usr})), 1.0), own=own.get(usr, 0.0), calls=None) for usr in known
    }
    return Profile(
        spent=spent, callers={usr: frozenset(outer) for usr, outer in callers.items()}, how=f"{file.name}, as given"
    )
