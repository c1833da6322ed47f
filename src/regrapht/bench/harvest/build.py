"""The build: every file through the filter and extraction, every kernel through the later stages, as far as it gets.

Nothing is done twice: a stage whose inputs have not changed is taken from the file of results. Rules come first; a model, where there is
one, is asked for what no rule gives.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.bench.harvest.cuda_files import cuda_files, filter_file
from regrapht.bench.harvest.judging import SOLUTIONS, TASKS, drafts_of, place
from regrapht.bench.harvest.kernel_stages import WORK, KernelStages, KernelWork, Made
from regrapht.bench.harvest.kernels import KernelIndex, extract, kernels_of
from regrapht.bench.harvest.outcomes import (
    MAX_DETAIL_CHARS,
    Dropped,
    Head,
    Outcome,
    ResultsFile,
    Stage,
    StageCount,
    count_stages,
    hash_of,
)
from regrapht.errors import ConfigError, InvalidTask, TaskError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.llm.client import LanguageModel
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Sandbox

RULES = "1"
"""Raised with any change of a rule stage that can change what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build has come to."""

    files: int
    kernels: int
    """Kernels that were extracted."""
    admitted: tuple[str, ...]
    """Ids of tasks."""
    stages: tuple[StageCount, ...]
    complete: bool
    """False when it was stopped before its end."""


Observer = Callable[[Outcome, int, int], None]
"""Told each kernel's last outcome, how many kernels are done, and how many there are."""


class SuiteBuild:
    """One build of a suite out of a folder of CUDA files.

    Args:
        root: The folder; it is only read.
        out: Gets `results.jsonl`, `tasks/` and `solutions/`, and `.work/` for what is under way.
        evaluator: Compares kernels with their sequential versions; its level for that is `level`.
        model: Asked for what the rules cannot do; None leaves that out.
        workers: Kernels worked on side by side.

    Raises:
        ConfigError: As `check_folders`, or `out` holds a build with another model, judge or level.
    """

    def __init__(
        self,
        root: Path,
        out: Path,
        *,
        evaluator: Evaluator,
        sandbox: Sandbox,
        level: Level = Level.SCREEN,
        model: LanguageModel | None = None,
        workers: int = 1,
        limit: int | None = None,
    ) -> None:
        check_folders(root, out)
        self._root, self._out, self._limit, self._workers = root, out, limit, workers
        self._stages = KernelStages(out, evaluator=evaluator, sandbox=sandbox, level=level, model=model)
        head = Head(
            model=model.name if model is not None else None,
            evaluator=evaluator.name,
            protocol=evaluator.protocol,
            level=level.value,
        )
        self.results = ResultsFile(out, head)
        self._outcomes: list[Outcome] = []
        self._lock = threading.Lock()

    def run(self, *, observer: Observer | None = None, stop: threading.Event | None = None) -> BuildReport:
        """Take every file as far as it gets, and close the build; what was done before is not done again.

        Raises:
            EvaluatorUnavailable, ModelUnavailable, ModelRefused, StoreUnavailable: What was done is kept; run again to go on.
        """
        with closing(self.results):
            return self._run(observer, stop or threading.Event())

    def _run(self, observer: Observer | None, stop: threading.Event) -> BuildReport:
        paths = list(cuda_files(self._root))[: self._limit]
        if not paths:
            raise ConfigError(f"there is no .cu file below {self._root}")
        work = self._extract(paths, stop)
        done = 0

        def one(item: KernelWork) -> None:
            nonlocal done
            if stop.is_set():
                return
            last = self._take(item)
            with self._lock:
                done += 1
                if observer is not None:
                    observer(last, done, len(work))

        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="build")
        try:
            for future in [pool.submit(one, item) for item in work]:
                future.result()
        finally:
            pool.shutdown(cancel_futures=True)
        return BuildReport(
            files=len(paths),
            kernels=len(work),
            admitted=tuple(sorted(o.made["id"] for o in self._outcomes if o.stage is Stage.ADMIT and o.kept)),
            stages=count_stages(self._outcomes),
            complete=done == len(work) and not stop.is_set(),
        )

    def _extract(self, paths: Sequence[Path], stop: threading.Event) -> list[KernelWork]:
        """The filter and extraction, which are quick, file by file in order, so that of two that are alike always the first is kept."""
        found: list[KernelWork] = []
        alike = KernelIndex()
        for path in paths:
            if stop.is_set():
                break
            name = path.relative_to(self._root).as_posix()
            try:
                file = filter_file(path, self._root)
            except Dropped as dropped:
                self._note(_dropped(name, Stage.FILTER, hash_of(RULES, name), dropped))
                continue
            content = hash_of(RULES, *file.headers, file.text)
            self._note(Outcome(unit=name, stage=Stage.FILTER, key=content))
            for function, unit in kernels_of(file):
                own = f"{name}:{function.name}"
                key = hash_of(content, function.name, str(function.line))
                try:
                    kernel = extract(function, unit)
                    alike.add(own, kernel.text)
                except Dropped as dropped:
                    self._note(_dropped(own, Stage.EXTRACT, key, dropped))
                    continue
                self._note(Outcome(unit=own, stage=Stage.EXTRACT, key=key))
                found.append(KernelWork(unit=own, file=file, kernel=kernel))
        return found

    def _take(self, item: KernelWork) -> Outcome:
        """One kernel through all stages that it passes; its last outcome."""
        content = hash_of(RULES, item.kernel.text, *item.file.headers, item.file.text)
        last = self._stage(item, Stage.COMPLETE, content, lambda: self._stages.complete(item))
        if not last.kept:
            return last
        text = item.kernel.text
        last = self._stage(
            item, Stage.SEQUENTIAL, _key(text, last.made), lambda: self._stages.sequential(item, last.made)
        )
        if not last.kept:
            return last
        made = last.made
        last = self._stage(item, Stage.DESCRIBE, _key(text, made), lambda: self._stages.describe(item, made))
        if not last.kept:
            return last
        drafts = drafts_of(last.made)
        key = hash_of(*(text for draft in drafts for text in draft.texts))
        last = self._stage(item, Stage.COMPARE, key, lambda: self._stages.compare(drafts))
        if not last.kept:
            return last
        agreeing = int(last.made["draft"])
        last = self._stage(item, Stage.ADMIT, key, lambda: self._stages.admit(drafts, agreeing))
        if last.kept:
            place(drafts[int(last.made["draft"])], self._out)
        return last

    def _stage(self, item: KernelWork, stage: Stage, key: str, work: Callable[[], Made]) -> Outcome:
        """The outcome on file, or a new one."""
        outcome = self.results.find(stage, key)
        if outcome is None:
            begun = time.monotonic()
            try:
                by, made = work()
                outcome = Outcome(unit=item.unit, stage=stage, key=key, by=by, made=made)
            except Dropped as dropped:
                outcome = _dropped(item.unit, stage, key, dropped)
            except (TaskError, InvalidTask) as error:
                outcome = _dropped(item.unit, stage, key, Dropped("invalid_task", str(error)))
            outcome = replace(outcome, seconds=round(time.monotonic() - begun, 3))
        return self._note(replace(outcome, unit=item.unit))

    def _note(self, outcome: Outcome) -> Outcome:
        self.results.add(outcome)
        with self._lock:
            self._outcomes.append(outcome)
        return outcome


def check_folders(root: Path, out: Path) -> None:
    """See that a build has a folder to read, and that it would not read what it writes. Writes nothing.

    Raises:
        ConfigError: There is no folder `root`, `out` is `root` or lies in it, or `root` lies where the build writes below `out`.
    """
    if not root.is_dir():
        raise ConfigError(f"there is no folder {root}")
    inside = root.resolve()
    if out.resolve().is_relative_to(inside):
        raise ConfigError(
            f"--out {out} is {root} or lies in it, and what is written there would be read the next time: name a folder elsewhere"
        )
    for name in (TASKS, SOLUTIONS, WORK):
        if inside.is_relative_to((out / name).resolve()):
            raise ConfigError(
                f"{root} lies in {out / name}, where --out {out} has the build write: name a folder elsewhere"
            )


def _key(kernel: str, made: Mapping[str, str]) -> str:
    return hash_of(RULES, kernel, *(text for name in sorted(made) for text in (name, made[name])))


def _dropped(unit: str, stage: Stage, key: str, why: Dropped) -> Outcome:
    detail = " ".join(why.detail.split())[:MAX_DETAIL_CHARS]
    return Outcome(unit=unit, stage=stage, key=key, reason=why.reason, detail=detail)
