"""Who writes trajectories: a model in one reply, a proposer step by step, or a folder of replies written elsewhere.

A writer begins a draft for a task and a sample number; the draft gives one step after another and is told what became of each, so that an
engine can go on from what passed.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from regrapht.construct.prompts import Form, trajectory_prompt
from regrapht.construct.trajectory_reply import MAX_STEPS, parse_trajectory
from regrapht.errors import CannotTransform, ConfigError
from regrapht.llm.client import LanguageModel
from regrapht.records.candidate import Candidate
from regrapht.records.prompt import Finish, Sampling
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import INIT, Technique, Transition
from regrapht.records.trajectory import Step
from regrapht.records.verdict import Verdict

MAX_REPLY_BYTES = 4 * 1024 * 1024
REPLY_SUFFIXES = (".json", ".md", ".txt")


class NoTrajectory(Exception):
    """There is no trajectory for this task and sample; `reason` is the word that it is counted by."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Draft:
    """A trajectory in the making."""

    def __init__(self, steps: Iterable[Step] | Callable[["Draft"], Iterator[Step]], notes: Iterable[str] = ()) -> None:
        self.notes = list(notes)
        self.last: Judged | None = None
        self.proposed: Candidate | None = None
        """The candidate behind the step that was given last, where a proposer made it: what it is told again has its decisions."""
        self._steps = iter(steps(self) if callable(steps) else steps)

    def next(self) -> Step | None:
        """The next step; None when there is no further one."""
        return next(self._steps, None)

    def told(self, candidate: Candidate, verdict: Verdict) -> None:
        """What became of the step that `next` gave."""
        self.last = Judged(proposal_id=1, candidate=candidate, verdict=verdict)


class TrajectoryWriter(Protocol):
    """Writes trajectories; called from several threads at once."""

    name: str

    def begin(self, task: Task, sample: int) -> Draft:
        """The draft of one trajectory.

        Raises:
            NoTrajectory: There is none for this task and sample.
            ModelUnavailable, ModelRefused: As the model's.
        """
        ...


class ModelWriter:
    """Asks a language model for whole trajectories, one reply a sample.

    Args:
        model: Who is asked.
        form: How it is asked to write steps down.
        kept: Where replies are kept, so that a collection that was interrupted does not pay twice; `None` keeps none.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        form: Form = Form.JSON,
        most: int = 12,
        max_tokens: int = 16_384,
        temperature: float = 0.7,
        kept: "ReplyStore | None" = None,
    ) -> None:
        self.name = re.sub(r"[^A-Za-z0-9_.-]+", "-", model.name)
        self._model, self._form, self._most, self._kept = model, form, most, kept
        self._sampling = Sampling(temperature=temperature, max_tokens=max_tokens)

    def begin(self, task: Task, sample: int) -> Draft:
        """The draft out of one reply."""
        text = self._kept.get(task.id, sample) if self._kept is not None else None
        if text is None:
            text = self._ask(task, sample)
            if self._kept is not None:
                self._kept.put(task.id, sample, text)
        return _draft_of(text, task)

    def _ask(self, task: Task, sample: int) -> str:
        sampling = Sampling(
            temperature=self._sampling.temperature, max_tokens=self._sampling.max_tokens, seed=1000 + sample
        )
        completion = self._model.complete(trajectory_prompt(task, form=self._form, most=self._most), sampling)
        if completion.finish is Finish.FILTERED:
            raise NoTrajectory("reply_filtered")
        return completion.text


class ReplyStore(Protocol):
    """Keeps the replies of a collection."""

    def get(self, task_id: str, sample: int) -> str | None:
        """The reply, or None."""
        ...

    def put(self, task_id: str, sample: int, text: str) -> None:
        """Keep a reply."""
        ...


class FolderWriter:
    """Trajectories that were written elsewhere: replies in the forms above, as `TASK.json` or `TASK/ANYTHING.json` (or `.md`, `.txt`).

    Raises:
        ConfigError: There is no such folder.
    """

    name = "folder"

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise ConfigError(f"there is no folder {folder}: give one with TASK.json or TASK/ANYTHING.json")
        self._folder = folder

    def begin(self, task: Task, sample: int) -> Draft:
        """The draft out of the file of that number, in the order of names."""
        files = self._files(task.id)
        if sample >= len(files):
            raise NoTrajectory("no_file")
        file = files[sample]
        if file.is_symlink() or file.stat().st_size > MAX_REPLY_BYTES:
            raise NoTrajectory("file_refused")
        return _draft_of(file.read_bytes().decode("utf-8", "replace"), task)

    def samples(self, task: Task) -> int:
        """How many trajectories the folder holds for a task."""
        return len(self._files(task.id))

    def _files(self, task_id: str) -> list[Path]:
        inside = self._folder / task_id
        found = [path for path in inside.iterdir() if path.is_file()] if inside.is_dir() else []
        found += [self._folder / f"{task_id}{suffix}" for suffix in REPLY_SUFFIXES]
        return sorted(path for path in found if path.suffix in REPLY_SUFFIXES and path.is_file())


class StepProposer(Protocol):
    """The part of a proposer that writing a trajectory needs."""

    name: str

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """As every proposer's."""
        ...

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """As every proposer's."""
        ...


class ProposerWriter:
    """Lets a proposer apply techniques drawn by lot from those that apply, one after another; for the transform engine, mostly.

    Args:
        proposer: Who applies them.
        techniques: What is drawn from. A technique that was applied is not drawn again.
        most: Steps at most.
        seed: Of the draws; each task and sample has draws of its own.
    """

    def __init__(
        self, proposer: StepProposer, techniques: Mapping[str, Technique], *, most: int = 6, seed: int = 1
    ) -> None:
        self.name = proposer.name
        self._proposer, self._techniques, self._most, self._seed = proposer, techniques, most, seed

    def begin(self, task: Task, sample: int) -> Draft:
        """The draft; its first step is the proposer's initial program."""
        return Draft(lambda draft: self._steps(task, sample, draft))

    def _steps(self, task: Task, sample: int, draft: Draft) -> Iterator[Step]:
        chance = random.Random(f"{self._seed}/{task.id}/{sample}")
        try:
            candidate = self._proposer.propose(task, Proposal(id=1, kind=ProposalKind.INITIAL, seed=sample))
        except CannotTransform as error:
            raise NoTrajectory("engine_cannot_take_the_task") from error
        count = 0
        while candidate.source is not None:
            draft.proposed = candidate
            yield _proposed_step(candidate, self._techniques)
            count += 1
            if count == self._most or draft.last is None:
                return
            following = self._next(task, draft.last, chance)
            if following is None:
                return
            candidate = following
        if not count:
            raise NoTrajectory("no_initial_program")

    def _next(self, task: Task, parent: Judged, chance: random.Random) -> Candidate | None:
        """A candidate by the first technique, in drawn order, that applies and changes the program."""
        applied = parent.candidate.techniques
        source = applied[-1] if applied else INIT
        slugs = sorted(set(self._techniques) - set(applied))
        chance.shuffle(slugs)
        for slug in slugs:
            edge = Transition(source, slug)
            if self._proposer.applicable(task, parent.candidate, edge) is False:
                continue
            wanted = Proposal(
                id=1, kind=ProposalKind.APPLY, parent=parent, transition=edge, attempt=0, seed=chance.randrange(2**31)
            )
            candidate = self._proposer.propose(task, wanted)
            is_one_step = len(candidate.techniques) == len(applied) + 1  # the engine may need another technique first
            if is_one_step and candidate.program_hash != parent.candidate.program_hash:
                return candidate
        return None


def _proposed_step(candidate: Candidate, techniques: Mapping[str, Technique]) -> Step:
    assert candidate.source is not None
    slug = candidate.techniques[-1] if candidate.techniques else "map_to_threads"
    known = techniques.get(slug)
    return Step(
        think=known.meaning if known is not None else "Applied by lot.",
        method=slug,
        detail=candidate.explanation.strip() or slug,
        code=candidate.source,
    )


def _draft_of(text: str, task: Task) -> Draft:
    parsed = parse_trajectory(text, task.entry)
    if not parsed.steps:
        raise NoTrajectory(parsed.notes[0] if parsed.notes else "no_steps")
    return Draft(parsed.steps[:MAX_STEPS], parsed.notes)
