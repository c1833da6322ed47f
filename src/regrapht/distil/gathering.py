"""Filling a folder with pairs: items judged by several processes, each item kept as it ends, so that what was interrupted goes on.

`items.jsonl` is the record of the work, an item a line; `pairs.jsonl` and `preferences.jsonl` are made of it in the order of the items,
so that they do not depend on which process was faster. Processes and not threads, because analysis is Python and isl takes one at a time.

An item is kept with the hash of the code that asked it: what the product would ask in other words today is worked again, since a model that
is tuned on other prompts than it gets has learnt the wrong ones.
"""

import hashlib
import json
import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

from regrapht.construct.corpus import CorpusTrajectory
from regrapht.distil.families import draw
from regrapht.distil.item import Ground, Made, pairs_of_drawn
from regrapht.distil.kept_out import KeptOut, keep_out
from regrapht.distil.shape import shape_of
from regrapht.distil.written import pairs_of_written, trajectories
from regrapht.errors import ConfigError, EvaluatorUnavailable, StoreUnavailable
from regrapht.graph.shipped import shipped_graph
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose

ITEMS, PAIRS, PREFERENCES, REPORT = "items.jsonl", "pairs.jsonl", "preferences.jsonl", "data.json"
GRACE_S = 30.0
"""What is under way when the time is over, or the pairs are there, may take so long more. An interruption ends it at once."""
ASKED_BY = ("distil", "prompts", "propose")
"""What of this package decides how a prompt and its reply read."""
_WRITTEN_EVERY = 2
"""A written trajectory and then a drawn function, until the trajectories are used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to gather, and by what rules."""

    pairs: int
    seed: int
    corpora: tuple[Path, ...]
    keep_out: tuple[Path, ...]
    level: Level = Level.SCREEN
    longest: int = 3600
    """Tokens of prompt and reply together, by the product's estimate."""
    allow_root: bool = False

    def rules(self) -> dict[str, object]:
        """What must be the same for work to be gone on with."""
        return {
            "seed": self.seed,
            "level": str(self.level),
            "longest": self.longest,
            "corpora": [one.name for one in self.corpora],
        }


@dataclass
class Gathered:
    """What there is so far."""

    pairs: int = 0
    new_pairs: int = 0
    """Of this call."""
    preferences: int = 0
    items: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def take(self, made: Mapping[str, Any]) -> None:
        """Count one item of the record."""
        self.items += 1
        self.pairs += len(made["pairs"])
        self.preferences += len(made["preferences"])
        self.kinds.update(json.loads(line)["kind"] for line in made["pairs"])
        self.left_out.update(made["left_out"])
        self.verdicts.update(made["verdicts"])


@cache
def asking_code() -> str:
    """How prompts are made and replies are read, by the code's own text: SHA-256 over the files of its parts as they are installed."""
    digest = hashlib.sha256()
    root = Path(str(files("regrapht")))
    for part in ASKED_BY:
        for file in sorted((root / part).rglob("*")):
            if file.suffix in (".py", ".md") and "training" not in file.parts:
                digest.update(f"{file.relative_to(root)}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\0".encode())
    return digest.hexdigest()


_ground: Ground | None = None
_written: tuple[tuple[Path, CorpusTrajectory], ...] = ()


def gather(out: Path, wanted: Wanted, *, jobs: int, minutes: float | None, say: Callable[[Gathered], None]) -> Gathered:
    """Fill the folder until it has the pairs that are wanted, or the minutes are over; an interrupted or ended work is gone on with.

    Args:
        say: Told of each item that ends.

    Raises:
        ConfigError: The folder holds pairs by other rules, or a folder to keep out is empty.
        EvaluatorUnavailable: No sandbox works here.
        StoreUnavailable: The folder cannot be written.
    """
    started = time.monotonic()
    choose(allow_root=wanted.allow_root)
    known = keep_out(wanted.keep_out)
    written = len(trajectories(wanted.corpora)) if wanted.corpora else 0
    try:
        out.mkdir(parents=True, exist_ok=True)
        done = _resumed(out / ITEMS, wanted)
        total = Gathered()
        for made in done.values():
            total.take(made)
        until = None if minutes is None else started + 60 * minutes
        try:
            work = closing(_worked(wanted, known, jobs, written, done, until))
            with (out / ITEMS).open("a", encoding="utf-8") as record, work as items:
                for number, made in items:
                    record.write(json.dumps({"item": number, "asked_by": asking_code(), **made}) + "\n")
                    record.flush()
                    done[number] = made
                    total.take(made)
                    total.new_pairs += len(made["pairs"])
                    total.seconds = time.monotonic() - started
                    say(total)
        finally:
            _write(out, wanted, done, time.monotonic() - started)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {out}: {error.strerror}") from error
    total.seconds = time.monotonic() - started
    return total


def _worked(
    wanted: Wanted, known: KeptOut, jobs: int, written: int, done: Mapping[int, Any], until: float | None
) -> Generator[tuple[int, dict[str, Any]], None, None]:
    """Items that were not done, as they end, until the pairs suffice or the time is over."""
    have = sum(len(made["pairs"]) for made in done.values())
    if have >= wanted.pairs:
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(wanted, known))
    numbers = (number for number in _different(wanted.seed, written) if number not in done)
    out: dict[Future[dict[str, Any]], int] = {}
    try:
        while have < wanted.pairs and (until is None or time.monotonic() < until):
            while len(out) < jobs + 1:
                number = next(numbers)
                out[pool.submit(_work, wanted, number, written)] = number
            for one in wait(out, timeout=1.0, return_when=FIRST_COMPLETED).done:
                made = one.result()
                have += len(made["pairs"])
                yield out.pop(one), made
        waiting = [one for one in out if one.cancel()]
        for one in wait(set(out) - set(waiting), timeout=GRACE_S).done:
            yield out[one], one.result()
    except BrokenProcessPool as error:
        raise EvaluatorUnavailable(
            "a process that judges was ended from outside, perhaps for its memory: fewer --jobs"
        ) from error
    finally:
        for child in multiprocessing.active_children():
            child.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def _different(seed: int, written: int) -> Iterator[int]:
    """The numbers of all items, without those of functions that were drawn before but for names and numbers; the same for the same seed."""
    seen: set[str] = set()
    for number in count():
        if not _is_written(number, written):
            shape = shape_of(draw(seed, number).task.reference.source.text)
            if shape in seen:
                continue
            seen.add(shape)
        yield number


def _is_written(number: int, written: int) -> bool:
    return number % _WRITTEN_EVERY == 0 and number // _WRITTEN_EVERY < written


def _begin(wanted: Wanted, known: KeptOut) -> None:
    """Make what all items of this process share. Ctrl-C is the first process's to handle."""
    global _ground, _written
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sandbox = choose(allow_root=wanted.allow_root).sandbox
    _ground = Ground(sandbox, shipped_graph(), known, level=wanted.level, longest=wanted.longest)
    _written = trajectories(wanted.corpora) if wanted.corpora else ()


def _work(wanted: Wanted, number: int, written: int) -> dict[str, Any]:
    """The item of that number, as plain values."""
    assert _ground is not None
    if _is_written(number, written):
        corpus, item = _written[number // _WRITTEN_EVERY]
        made = pairs_of_written(_ground, corpus, item, wanted.seed)
    else:
        made = pairs_of_drawn(_ground, wanted.seed, number)
    return _plain(made)


def _plain(made: Made) -> dict[str, Any]:
    return {
        "pairs": [pair.line() for pair in made.pairs],
        "preferences": [pair.line() for pair in made.preferences],
        "left_out": dict(made.left_out),
        "verdicts": dict(made.verdicts),
    }


def _resumed(file: Path, wanted: Wanted) -> dict[int, dict[str, Any]]:
    """The items on record, by number; a line that was cut off, or was asked in other words, is worked again. A new record gets the rules as
    its first line.

    Raises:
        ConfigError: The record was made by other rules.
    """
    if not file.exists():
        file.write_text(json.dumps({"rules": wanted.rules()}) + "\n")
        return {}
    found: dict[int, dict[str, Any]] = {}
    lines = file.read_text(encoding="utf-8").splitlines()
    kept = []
    for line in lines:
        try:
            plain = json.loads(line)
        except ValueError:
            continue
        if "item" in plain and plain.pop("asked_by", None) != asking_code():
            continue
        kept.append(line)
        if "rules" in plain and plain["rules"] != wanted.rules():
            raise ConfigError(
                f"{file.parent} was begun with {plain['rules']}: go on with the same, or give another --out"
            )
        if "item" in plain:
            found[int(plain.pop("item"))] = plain
    if len(kept) < len(lines):
        file.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return found


def _write(out: Path, wanted: Wanted, done: Mapping[int, Mapping[str, Any]], seconds: float) -> None:
    """The files that are made of the record."""
    from regrapht.store.blobs import write_atomically

    total, lines, preferences = Gathered(), [], []
    seen: set[str] = set()
    for number in sorted(done):
        total.take(done[number])
        lines += [line for line in done[number]["pairs"] if line not in seen]
        seen.update(done[number]["pairs"])
        preferences += done[number]["preferences"]
    write_atomically(out / PAIRS, "".join(f"{line}\n" for line in lines[: wanted.pairs]).encode())
    write_atomically(out / PREFERENCES, "".join(f"{line}\n" for line in preferences).encode())
    report = {
        "rules": wanted.rules(),
        "kept_out": [str(one) for one in wanted.keep_out],
        "items": total.items,
        "pairs": min(len(lines), wanted.pairs),
        "preferences": len(preferences),
        "kinds": dict(total.kinds),
        "left_out": dict(total.left_out),
        "verdicts": dict(total.verdicts),
        "seconds_of_last_call": round(seconds, 1),
    }
    write_atomically(out / REPORT, (json.dumps(report, indent=1) + "\n").encode())
