"""The way of a whole application: build, profile, capture, optimise, put back, compare."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regrapht.assemble import open_evaluator, open_store
from regrapht.errors import ConfigError, UserFixable
from regrapht.records.measurement import Scale
from regrapht.records.run import Budget, RunOptions, RunState
from regrapht.records.task import Compare, Task
from regrapht.records.verdict import Level
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.patch import not_callable
from regrapht.report.story import gain
from regrapht.sandbox.choose import choose_sandbox
from regrapht.session.finish import Result, finish
from regrapht.session.history import find_run
from regrapht.session.launch import launch, resume
from regrapht.session.port import profile
from regrapht.session.port.applying import FOLDER, Taken, apply, check_takes, patch_of, undo_half, write_into
from regrapht.session.port.capture import Application, CapturedTask, Captures, capture, slug_of
from regrapht.session.port.captured import as_captured
from regrapht.session.port.check_shapes import checked_small
from regrapht.session.port.compile_log import Compiled, CompileLog, write_database
from regrapht.session.port.copies import Likeness, Ran, build, compare, copy_tree, run, steadied
from regrapht.session.port.functions_of import OwnFunction, functions_of, working
from regrapht.session.port.kept import STATE_FILE, Kept, written
from regrapht.session.port.leftovers import end_leftovers
from regrapht.session.port.outcome import Ported, Row
from regrapht.session.port.profile import Profile
from regrapht.session.port.time_shares import TimeShares
from regrapht.store.blobs import write_atomically
from regrapht.store.output_folder import check_writable, hold

PATCH_FILE = "port.patch"
_APPLYING = ".applying"
INTERRUPTED = "interrupted"
TIME_UP = "no program passed in full in its part of the time: give a longer --seconds"
_UNFINISHED = (INTERRUPTED, TIME_UP)
"""Nothing that became of a function: it is tried again another time."""
_CAPTURED_CALLS = 2
_CAPTURED_ELEMENTS = {"emulated": 300_000}
_CAPTURED_ON_GPU = 5_000_000
_TIMED_RUNS = 4
_CLEARLY_QUICKER = 1.03
"""So many times as long, every run beside every other, is no chance of timing."""
_SMALL, _FOR_SMALL = 0.05, 3
"""A function with less of the time is taken for the sake of its data, which then stay on the device: so few candidates are enough."""
_LEAST_LIMIT_S, _TIMES_AS_LONG = 60.0, 20
"""How long the application may run with what was taken: so much, and so many times as long as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortOptions:
    """What is ported, and how far."""

    project: Path
    build: str
    run: str
    out: Path
    run_options: RunOptions
    least: float = 0.002
    """Share of the whole time from which on a function is looked at."""
    hot: int = 12
    """So many functions are optimised at most."""
    seconds: float | None = None
    """What is left of this time when functions are begun with is divided among them (`TimeShares`)."""
    profile: Path | None = None
    tolerance: float | None = None
    apply: bool = False
    shares: bool = True
    """Whether large blocks of the application's `new` become memory that CPU and GPU share."""
    allow_root: bool = False
    force: bool = False


Say = Callable[[str], None]


def port(options: PortOptions, *, say: Say, stop: threading.Event) -> Ported:
    """Port an application. The user's folder is only read, unless `options.apply`.

    What was optimised before in the same `out` is not done again.

    Raises:
        ConfigError: It does not build or run, or `out` has another port.
        Unavailable: A tool is missing here.
    """
    project = options.project.resolve()
    if not project.is_dir():
        raise ConfigError(f"{options.project}: there is no such folder; give the application's")
    if project.is_relative_to(options.out.resolve()):
        raise ConfigError(f"--out {options.out} is the application's folder or around it; give another one")
    check_writable(options.out)
    with hold(options.out / STATE_FILE):
        return _Port(replace(options, project=project, out=options.out.resolve()), say, stop).whole()


class _Port:
    def __init__(self, options: PortOptions, say: Say, stop: threading.Event) -> None:
        self.options, self.say, self.stop = options, say, stop
        self.began = time.monotonic()
        self.work = options.out / "work"
        self.app = Application(
            project=options.project,
            build=options.build,
            run=options.run,
            work=self.work,
            out=options.out,
            database=self.work / "compile_commands.json",
        )
        budget = str(options.run_options.budget)
        self.done = Kept(options.out, [options.build, options.run, str(options.project), budget], force=options.force)

    def whole(self) -> Ported:
        before, compiled = self.original()
        own = functions_of(self.app.project, self.app.database, compiled)
        profiled = self.profiled(own)
        again = profiled.again or run(self.app.run, self.work / "original")
        before = steadied(before, again, self.options.tolerance)
        hot = [one for one in profiled.ranked(working(own), self.options.least) if one.name != "main"]
        if not hot:
            raise ConfigError(
                f"no function with a loop takes {self.options.least:.0%} of the time; --least takes smaller ones, --run a larger input"
            )
        self.say(f"capturing what {len(hot)} functions are called with")
        captures = capture(self.app, hot)
        rows, taken = self.optimised(hot, profiled, captures)
        try:
            return self.put_back(before, compiled, profiled, rows, taken)
        except ConfigError as error:
            if not taken:
                raise
            where = ", ".join(str(one.results) for one in taken)
            raise ConfigError(f"{error}; the programs found stay in {where}, and the same command goes on") from error

    # ---- stages

    def original(self) -> tuple[Ran, tuple[Compiled, ...]]:
        """The application as it is, without what a killed port has left: what it prints, and what its build compiles."""
        end_leftovers(self.work)
        copies = (self.work / one for one in ("patched", "plain"))
        undo_half(self.app.project, *copies, mark=self.options.out / _APPLYING)
        copy = self.work / "original"
        self.say("building and running the application as it is")
        copy_tree(self.app.project, copy, leave_out=self.options.out)
        log = CompileLog(self.work / "compiler")
        build(
            self.app.build,
            copy,
            what="the application does not build",
            of=self.app.project,
            environment=log.open(),
        )
        compiled = log.compiled(copy)
        check_takes(copy, compiled, build=self.app.build)
        write_database(compiled, copy, self.app.project, self.app.database)
        ran = run(self.app.run, copy, waiting=self.still_runs)
        if ran.exit_code != 0:
            where = (
                "it runs in a copy of DIR with nothing to read from a terminal; paths out of DIR have to be absolute"
            )
            raise ConfigError(f"the application as it is: `{self.app.run}` ended with {ran.exit_code} ({where})")
        return ran, compiled

    def still_runs(self, seconds: float) -> None:
        self.say(f"  `{self.app.run}` has run for {seconds:.0f} s; it is run some six times: a small input is enough")

    def profiled(self, own: Sequence[OwnFunction]) -> Profile:
        if self.options.profile is not None:
            return profile.given(self.options.profile, own)
        self.say("profiling a copy")
        copy = self.work / "clocks"
        copy_tree(self.app.project, copy, leave_out=self.options.out)
        return profile.clocked(copy, own, self.app.build, self.app.run, self.work / "clocks.d")

    def optimised(
        self, hot: Sequence[OwnFunction], profiled: Profile, captures: Captures
    ) -> tuple[list[Row], list[Taken]]:
        """Each hot function on its own, callers first: what a taken one calls is inside of it."""
        rows: list[Row] = []
        taken: list[Taken] = []
        inside = set[str]()
        names: set[str] = set()
        self.time = self._shares(hot, profiled, captures)
        for one in hot:
            spent = profiled.spent[one.usr]
            row = Row(
                name=one.name,
                file=one.file.as_posix(),
                line=one.line,
                share=spent.share,
                calls=spent.calls,
                taken=False,
                words="",
            )
            callers = profiled.callers.get(one.usr, frozenset()) - {one.usr}
            captured = captures.tasks.get(one.usr)
            if callers and callers <= inside:
                inside.add(one.usr)
                self.time.done(one.usr)
                rows.append(replace(row, words="inside of what is taken"))
                continue
            if captured is None:
                rows.append(replace(row, words=captures.refused.get(one.usr, "was not captured")))
                continue
            if len(taken) >= self.options.hot:
                rows.append(replace(row, words=f"not tried: {self.options.hot} are taken (--hot)"))
                continue
            row, program = self._kept_or_tried(one, row, captured, captures, names)
            self.time.done(one.usr)
            rows.append(row)
            self.say(f"  {row.name}: {row.words}")
            if program is not None:
                taken.append(program)
                inside.add(one.usr)
                names.add(program.interface.name)
        return rows, taken

    def _kept_or_tried(
        self, one: OwnFunction, row: Row, captured: CapturedTask, captures: Captures, names: set[str]
    ) -> tuple[Row, Taken | None]:
        """What an earlier port found costs no time; all else is done in the function's part of it, preparing too."""
        self.time.begin(one.usr)
        late = "the time was up: a longer --seconds goes on with it" if self.time.left_of(one.usr) == 0 else ""
        why_not = late or ("interrupted" if self.stop.is_set() else "")
        if why_not and one.usr not in self.done.functions:
            return replace(row, words=f"not tried: {why_not}"), None
        small = checked_small(captured.task, choose_sandbox(allow_root=self.options.allow_root))
        captured = replace(captured, task=small)
        interface = Interface(small, self.options.run_options.residency or small.contract.residency.value)
        refused = not_callable(interface)
        if refused is None and small.entry in names:
            refused = f"another function taken is called {small.entry} too"
        known = self.done.of(one.usr, small.content_hash)
        if refused is not None or known.get("left"):
            return replace(row, words=refused or str(known["left"])), None
        folder = self.options.out / "results" / slug_of(one)
        program = Taken(interface=interface, results=folder, unit=one.unit, users=one.users)
        kept = known.get("taken")
        if isinstance(kept, dict) and (folder / f"{small.entry}.cu").is_file():
            return replace(row, taken=True, **kept), program
        if why_not:
            return replace(row, words=f"not tried: {why_not}"), None
        return self._one(one, row, captured, captures, program)

    def _one(
        self, one: OwnFunction, row: Row, captured: CapturedTask, captures: Captures, program: Taken
    ) -> tuple[Row, Taken | None]:
        task, folder = captured.task, program.results
        self.say(f"optimising {one.name} ({row.share:.0%} of the time)")
        try:
            result, words = self._searched(one, row.share, captured, captures, folder)
        except UserFixable as error:
            result, words = None, " ".join(str(error).split())
        if result is None:
            self._note(one, task, left=words)
            return replace(row, words=words), None
        best = result.outcome.best
        gained = gain(best.verdict, result.yardstick) if best is not None else None
        found: dict[str, Any] = {"words": words, "run": result.run_id, "gain": gained}
        found["gain_is_measured"] = result.yardstick.scale is Scale.MEASURED_US
        if (slow := slower_than_one_core(gained, result.yardstick.scale)) is not None:
            self._note(one, task, left=slow)
            return replace(row, words=slow), None
        self._note(one, task, run=result.run_id, taken=found)
        return replace(row, taken=True, **found), program

    def _searched(
        self, one: OwnFunction, share: float, captured: CapturedTask, captures: Captures, folder: Path
    ) -> tuple[Result | None, str]:
        """Optimise one task; None and why where nothing came of it."""
        task = captured.task
        home = written(task, self.options.out / "tasks" / slug_of(one))
        budget = self._budget(share, self.time.left_of(one.usr))
        options = replace(self.options.run_options, out=folder, budget=budget)
        begun = str(self.done.of(one.usr, task.content_hash).get("run", ""))
        if begun and find_run(open_store(), begun).state is not RunState.FINISHED:
            launched = resume(begun, allow_root=self.options.allow_root)
        else:
            launched = launch(home, options, allow_root=self.options.allow_root, force=True)
        self._note(one, task, run=launched.run.id)
        result = finish(
            launched, out=folder, observer=lambda event: None, stop=self.stop, seconds=self.time.left_of(one.usr)
        )
        if result.interrupted:
            return None, INTERRUPTED
        if not result.passed and result.reason == "seconds":
            return None, TIME_UP
        if not result.passed or result.outcome.best is None:
            return None, f"no program passed the judge ({result.headline})"
        if result.in_one_thread:
            return None, "its loops depend on each other: it would run in one thread"
        cases = 0
        for call in captured.calls:
            variant = as_captured(task, call, captures.folder, captured.slug)
            if variant is None or cases >= _CAPTURED_CALLS:
                continue
            most = _CAPTURED_ELEMENTS.get(launched.evaluator.name, _CAPTURED_ON_GPU)
            if sum(arg.element_count(variant.check_sizes[0]) for arg in variant.parameters) > most:
                continue
            launched.evaluator.prepare(variant, None)
            verdict = launched.evaluator.evaluate(variant, result.outcome.best.candidate, level=Level.SCREEN)
            if not verdict.passed:
                return None, f"wrong for call {call.call} of the real run: {verdict.reason}"
            cases += 1
        tried = (
            f"right for {cases} captured calls" if cases else "captured calls are too large for this judge, or not kept"
        )
        counts = [arg.name for arg in task.outputs if arg.compare is Compare.ROUNDED]
        nearly = (
            f"; {', '.join(counts)}: a count that floats end, off by one in a thousandth of the elements at most"
            if counts
            else ""
        )
        return result, f"{', '.join(result.outcome.best.candidate.techniques)}; {tried}{nearly}"

    def put_back(
        self, before: Ran, compiled: Sequence[Compiled], profiled: Profile, rows: list[Row], taken: list[Taken]
    ) -> Ported:
        """The programs in a copy, built, run and compared; those with which the output differs are left out again."""
        evaluator = open_evaluator(self.options.run_options.evaluator, allow_root=self.options.allow_root)
        device = evaluator.environment().device
        likeness, after, more = Likeness(equal=True, words="nothing was taken"), before, None
        if taken:
            self.say("building and running the application with what was taken")
            likeness, after, more = self._tried(before, compiled, taken)
            if not likeness.equal:
                rows, taken, likeness, after, more = self._without_bad(before, compiled, rows, taken, likeness)
        measured = evaluator.name == "local_gpu" and bool(taken)
        before_s, after_s = before.seconds, after.seconds
        if measured and likeness.equal:
            before_s, with_all = min(self._timed("original")), self._timed("ported")
            rows, taken, after_s, more = self._what_pays(before, compiled, rows, taken, with_all, more)
        patch = None
        (self.options.out / PATCH_FILE).unlink(missing_ok=True)
        if taken:
            patch = self.options.out / PATCH_FILE
            clean = self.work / "patched"
            copy_tree(self.app.project, clean, leave_out=self.options.out)
            apply(clean, self.app.project, taken, compiled, build=self.app.build, shares=self.options.shares)
            plain = self.work / "plain"
            copy_tree(self.app.project, plain, leave_out=self.options.out)
            write_atomically(patch, patch_of(plain, clean).encode())
            if self.options.apply and likeness.equal:
                write_into(self.app.project, clean, plain, mark=self.options.out / _APPLYING)
        return Ported(
            rows=tuple(rows),
            likeness=likeness,
            profiled=profiled.how,
            before_s=before_s,
            after_s=after_s,
            device=device,
            measured=measured,
            patch=patch,
            applied=self.options.apply and likeness.equal and bool(taken),
            more_words=more,
        )

    def _without_bad(
        self, before: Ran, compiled: Sequence[Compiled], rows: list[Row], taken: list[Taken], likeness: Likeness
    ) -> tuple[list[Row], list[Taken], Likeness, Ran, str | None]:
        """Leave again what makes a difference on its own, and everything where only all together do."""
        several = len(taken) > 1
        said = [one for one in taken if f"/{FOLDER}/{one.interface.name}/" in likeness.words]
        if said and len(said) < len(taken):  # what a compiler stopped at need not be looked for
            kept, rest = _left_again(rows, [(one, likeness) for one in said]), [one for one in taken if one not in said]
            found, after, more = self._tried(before, compiled, rest)
            if found.equal:
                return kept, rest, found, after, more
            return self._without_bad(before, compiled, kept, rest, found)
        alone = {one.interface.name: self._tried(before, compiled, [one])[0] if several else likeness for one in taken}
        good = [one for one in taken if alone[one.interface.name].equal]
        after, more, found = before, None, Likeness(equal=True, words="nothing was taken")
        if good:
            found, after, more = self._tried(before, compiled, good)
            if not found.equal:
                alone = dict.fromkeys(alone, found)
                good, after, more, found = [], before, None, Likeness(equal=True, words="nothing was taken")
        names = {one.interface.name for one in good}
        left = [(one, alone[one.interface.name]) for one in taken if one.interface.name not in names]
        return _left_again(rows, left), good, found, after, more

    def _what_pays(
        self,
        before: Ran,
        compiled: Sequence[Compiled],
        rows: list[Row],
        taken: list[Taken],
        times: list[float],
        more: str | None,
    ) -> tuple[list[Row], list[Taken], float, str | None]:
        """Leave again, the smallest first, what the whole program is clearly quicker without: copies may cost more than a kernel gains. The
        last one stays, whose time then is the program's."""
        rows, taken, built = list(rows), list(taken), list(taken)
        for row in sorted((one for one in rows if one.taken), key=lambda one: one.share):
            if len(taken) == 1 or self._is_late() or self.stop.is_set():
                break
            fewer = [one for one in taken if not _is_of(one, row)]
            if len(fewer) == len(taken):
                continue
            self.say(f"timing the application without {row.name}")
            likeness, _, words = self._tried(before, compiled, fewer)
            built = fewer
            if not likeness.equal or min(times) < _CLEARLY_QUICKER * max(without := self._timed("ported")):
                continue
            why = f"left again: the whole program takes {min(times):.3f} s with it and {min(without):.3f} s without"
            rows[rows.index(row)] = replace(row, taken=False, words=why)
            taken, times, more = fewer, without, words
        if built != taken:
            self._tried(before, compiled, taken)
        return rows, taken, min(times), more

    def _shares(self, hot: Sequence[OwnFunction], profiled: Profile, captures: Captures) -> TimeShares:
        """What is left of the time, for those functions that can be tried."""
        weights = {one.usr: profiled.spent[one.usr].share for one in hot if one.usr in captures.tasks}
        seconds, passed = self.options.seconds, time.monotonic() - self.began
        return TimeShares(None if seconds is None else seconds - passed, weights, time.monotonic)

    def _budget(self, share: float, seconds: float | None) -> Budget:
        asked = self.options.run_options.budget
        if seconds is not None:
            asked = replace(asked, seconds=min(asked.seconds or seconds, seconds))
        is_small = share < _SMALL and asked.candidates is not None
        return replace(asked, candidates=min(asked.candidates or 0, _FOR_SMALL)) if is_small else asked

    def _timed(self, copy: str) -> list[float]:
        """Seconds of some runs."""
        return [run(self.app.run, self.work / copy).seconds for _ in range(_TIMED_RUNS)]

    def _is_late(self) -> bool:
        return self.options.seconds is not None and time.monotonic() - self.began > self.options.seconds

    def _tried(
        self, before: Ran, compiled: Sequence[Compiled], taken: Sequence[Taken]
    ) -> tuple[Likeness, Ran, str | None]:
        copy = self.work / "ported"
        copy_tree(self.app.project, copy, leave_out=self.options.out)
        making = apply(copy, self.app.project, taken, compiled, build=self.app.build, shares=self.options.shares)
        log, more = CompileLog(self.work / "ported-compiler"), None
        environment = log.open()
        if making is not None:
            made = run(making, copy)
            if made.exit_code != 0:
                raise ConfigError(f"`{making}` ended with {made.exit_code} in {copy}")
            more = made.printed.strip()
            environment["REGRAPHT_WORDS"] = more
        try:
            build(self.app.build, copy, what="with it the application does not build", environment=environment)
        except ConfigError as error:
            return Likeness(equal=False, words=str(error)), before, None
        if (forgotten := _not_built_in(taken, log.compiled(copy))) is not None:
            words = f"{forgotten.unit} is compiled without -D{forgotten.interface.macro}=1: does its rule use CXXFLAGS?"
            return Likeness(equal=False, words=words), before, None
        ran = run(self.app.run, copy, limit_s=_LEAST_LIMIT_S + _TIMES_AS_LONG * before.seconds)
        return compare(before, ran, self.options.tolerance), ran, more

    def _note(self, one: OwnFunction, task: Task, *, left: str = "", **known: Any) -> None:
        """Keep what became of a function."""
        self.done.note(one.usr, task.content_hash, left="" if left in _UNFINISHED else left, **known)


def slower_than_one_core(gained: float | None, scale: Scale) -> str | None:
    """Why a program that passed is not taken; None where it pays, or nothing was measured that tells."""
    if scale is not Scale.MEASURED_US or gained is None or gained >= 1:
        return None
    return f"the best program that passed is {gained:.2g} times as fast as one CPU core"


def _not_built_in(taken: Sequence[Taken], compiled: Sequence[Compiled]) -> Taken | None:
    """The first program that the build left out, so that the application does not call it."""
    for one in taken:
        words = {word for each in compiled if each.source == one.unit for word in each.words}
        if f"-D{one.interface.macro}=1" not in words:
            return one
    return None


def _left_again(rows: Sequence[Row], left: Sequence[tuple[Taken, Likeness]]) -> list[Row]:
    """The rows, some of them not taken after all."""
    kept = []
    for row in rows:
        why = next((likeness.words for one, likeness in left if _is_of(one, row)), None)
        kept.append(row if why is None else replace(row, taken=False, words=f"left again: {why}"))
    return kept


def _is_of(one: Taken, row: Row) -> bool:
    home = one.interface.task.home
    return home is not None and home.name == row.name and home.line == row.line
