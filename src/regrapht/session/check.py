"""Judging one file of a user's, and examining a task."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.assemble import open_evaluator, open_task, plain_version
from regrapht.bench.metrics import geometric_mean_of
from regrapht.evaluate.admission.admit import admit_task
from regrapht.evaluate.admission.findings import Admission
from regrapht.evaluate.build.nvcc import SOURCE_NAME
from regrapht.evaluate.cases.bench_pools import forget_pools
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.task import Task
from regrapht.records.user_code import NO_FLAGS, BuildFlags
from regrapht.records.verdict import Finding, Level, Verdict
from regrapht.sandbox.choose import choose
from regrapht.source.merged import Merged, merge
from regrapht.source.program_hash import program_hash
from regrapht.source.user_file import as_text, fault_of_text, read_file
from regrapht.transform import said_independence


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFiles:
    """The judgement of one program in files of a user's."""

    verdict: Verdict
    """Its lines are those of the one text that was judged."""
    files: tuple[Path, ...]
    merged: Merged

    @property
    def told(self) -> Verdict:
        """The verdict with files and their lines."""
        return in_its_files(self.verdict, self.merged)

    def place(self, line: int | None) -> tuple[Path, int]:
        """File and line of a line of the judged text; the first line of the first file where there is none."""
        if line is None:
            return self.files[0], 1
        found = self.merged.place(line)
        if found is None:
            return self.files[0], line
        return next((file for file in self.files if file.name == Path(found[0]).name), self.files[0]), found[1]


def check_files(
    task: Path,
    files: Sequence[Path],
    *,
    entry: str | None,
    evaluator: str | None,
    level: Level,
    allow_root: bool,
    flags: BuildFlags = NO_FLAGS,
) -> CheckedFiles:
    """The verdict on the candidate in `files` for the task at `task`, with what it gains over plain CUDA where it passed. Several files are
    built together as one program.

    Raises:
        UserFixable: The task, a file or an option is wrong.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    opened = open_task(task, entry=entry, flags=flags)
    candidate, merged = read_candidate(files)
    judge = open_evaluator(evaluator, allow_root=allow_root)
    judge.prepare(opened.task, None)
    verdict = judge.evaluate(opened.task, candidate, level=level)
    verdict = replace(verdict, gain_over_plain=gain_over_plain(opened.task, verdict, judge))
    return CheckedFiles(verdict=verdict, files=tuple(files), merged=merged)


def gain_over_plain(task: Task, verdict: Verdict, judge: Evaluator) -> float | None:
    """How much less a program that passed takes than plain CUDA, the task's own version or else the engine's; None where it is not known.

    Times are compared where there are some, else costs that were modelled at the same sizes.
    """
    if not verdict.passed:
        return None
    if verdict.timing is not None:
        return geometric_mean_of([found.value if (found := shape.ratio("naive")) else None for shape in verdict.timing])
    plain = _plain(task)
    if plain is None or verdict.evidence is None or verdict.evidence.modelled_cost <= 0:
        return None
    before = judge.evaluate(task, plain, level=Level.SCREEN).evidence
    if before is None or before.sizes != verdict.evidence.sizes:
        return None
    return before.modelled_cost / verdict.evidence.modelled_cost


def _plain(task: Task) -> Candidate | None:
    own = next((baseline.source.text for baseline in task.baselines if baseline.name == "naive"), None)
    if own is None:
        return plain_version(task)
    return Candidate(source=own, program_hash=program_hash(own), origin=Origin(proposer="file", seconds=0.0))


def read_candidate(files: Sequence[Path]) -> tuple[Candidate, Merged]:
    """The program in `files`, and where its lines come from. One that is no UTF-8 text has no source, and the reason why.

    Raises:
        ConfigError: A file is no regular one, too large or not readable, or they make no program.
    """
    raw = {path: read_file(path) for path in dict.fromkeys(files)}
    origin = Origin(proposer="file", seconds=0.0)
    for path, content in raw.items():
        if (fault := fault_of_text(content)) is not None:
            reason = f"{path.name}: {fault}" if len(raw) > 1 else fault
            empty = Candidate(
                source=None, program_hash=None, origin=origin, no_source=NoSource.UNPARSABLE, reason=reason
            )
            return empty, Merged("")
    merged = merge({path: as_text(content) for path, content in raw.items()})
    said = said_independence(merged.text)
    return Candidate(
        source=merged.text, program_hash=program_hash(merged.text), origin=origin, independence=said
    ), merged


def in_its_files(verdict: Verdict, merged: Merged) -> Verdict:
    """The verdict with files and their lines in place of lines of the text that was judged."""
    if not merged.places:
        return verdict

    def told(text: str) -> str:
        return merged.told(text, name=SOURCE_NAME)

    def placed(finding: Finding) -> Finding:
        line, other = (merged.place(at) if at is not None else None for at in (finding.line, finding.other_line))
        files = " and ".join(dict.fromkeys(place[0] for place in (line, other) if place is not None))
        return replace(
            finding,
            message=f"{files}: {told(finding.message)}" if files else told(finding.message),
            line=line[1] if line is not None else finding.line,
            other_line=other[1] if other is not None else finding.other_line,
        )

    stages = [replace(stage, detail=told(stage.detail), output=told(stage.output)) for stage in verdict.stages]
    return replace(
        verdict,
        reason=told(verdict.reason),
        feedback=told(verdict.feedback),
        stages=tuple(stages),
        findings=tuple(placed(finding) for finding in verdict.findings),
    )


def redraw_pools(task: Path, *, entry: str | None, flags: BuildFlags = NO_FLAGS) -> None:
    """Forget the secret inputs and outputs that this machine keeps for the task's bench shapes: the next judgement draws new ones."""
    forget_pools(open_task(task, entry=entry, flags=flags).task)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedTask:
    """The examination of a task, and what was guessed where it was inferred from a bare function."""

    admission: Admission
    guesses: tuple[str, ...]


def examine_task(task: Path, *, entry: str | None, allow_root: bool, flags: BuildFlags = NO_FLAGS) -> ExaminedTask:
    """Whether verdicts on the task at `task` would mean something.

    Raises:
        UserFixable: The task is wrong, or its reference does not build or run: there is nothing to examine.
        EvaluatorUnavailable: The sandbox does not start here.
    """
    opened = open_task(task, entry=entry, flags=flags)
    admission = admit_task(opened.task, choose(allow_root=allow_root).sandbox)
    return ExaminedTask(admission=admission, guesses=opened.guesses)
