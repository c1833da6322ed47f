"""One written trajectory to its pairs, by the verdicts that are on file for exactly its texts; only planted faults are judged now."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory, read_corpus
from regrapht.construct.judged_step import JudgedStep, judged_steps
from regrapht.construct.new_techniques import corpus_vocabulary
from regrapht.construct.relabel import relabel
from regrapht.construct.verdict_file import StepVerdict
from regrapht.distil.asked import Asker, Source
from regrapht.distil.faults import plant
from regrapht.distil.item import GAIN, Ground, Made, suite_of
from regrapht.distil.judged import PROPOSER, Bench
from regrapht.distil.pair import Pair
from regrapht.errors import UserFixable
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.search.choice import LISTED
from regrapht.source.program_hash import program_hash

IMPROVED = 1.1
"""How many times as fast a step must be to answer the wish for a faster program."""
PREFERRED = 1.15
"""How many times as fast one of two right programs must be to be preferred."""


def trajectories(corpora: Sequence[Path]) -> tuple[tuple[Path, CorpusTrajectory], ...]:
    """The trajectories of these corpora with the corpus of each.

    Raises:
        TaskError: A corpus is malformed.
    """
    return tuple((corpus, item) for corpus in corpora for item in read_corpus(corpus))


def pairs_of_written(ground: Ground, corpus: Path, item: CorpusTrajectory, seed: int) -> Made:
    """All pairs of one trajectory."""
    made = Made()
    if not item.trajectory.licence.strip() or not (item.task.licence or "").strip():
        made.left_out["trajectories without a licence"] += 1
        return made
    texts = [item.task.reference.source.text, *(step.code for step in item.trajectory.steps)]
    if (place := ground.kept_out.near(texts[0])) is not None or any(map(ground.kept_out.has_program, texts)):
        made.left_out[f"near-duplicate of {suite_of(place or '')}"] += 1
        return made
    try:
        labelled = relabel(item.trajectory, corpus_vocabulary(load_vocabulary(), [corpus]))
        steps = judged_steps(item, [step.technique for step in labelled.trajectory.steps], corpus)
    except UserFixable:
        made.left_out["trajectories with a changed or missing verdict"] += 1
        return made
    _Written(ground, item, steps, random.Random(f"written/{seed}/{item.provenance}"), made).run()
    return made


class _Written:
    def __init__(
        self, ground: Ground, item: CorpusTrajectory, steps: list[JudgedStep], chance: random.Random, made: Made
    ) -> None:
        self.ground, self.item, self.steps, self.chance, self.made = ground, item, steps, chance, made
        source = Source(origin=item.provenance, licence=item.trajectory.licence)
        self.asker = Asker(item.task, ground.graph, source, chance, longest=ground.longest)
        self.judged: list[Judged] = []
        self.first_programs: dict[int, Pair | None] = {}

    def run(self) -> None:
        techniques: tuple[str, ...] = ()
        for step in self.steps:
            if step.status is not Status.PASSED:
                self.made.left_out[f"steps from one that is {step.status} on"] += 1
                break
            techniques += (step.transition.target,) if step.transition is not None else ()
            self.judged.append(_as_judged(self.item, step, techniques))
        if not self.judged:
            return
        if (first := self._first_program(0)) is not None:
            self.made.pairs.append(first)
        for index in range(1, len(self.judged)):
            self._step(index)
        self._preferences()
        self._repair(self.chance.choice(self.judged))

    def _step(self, index: int) -> None:
        step, parent, child = self.steps[index], self.judged[index - 1], self.judged[index]
        program, measured = child.candidate.source or "", step.measured_speedup()
        gain: dict[str, object] = {}
        if measured is not None:
            gain = {"how": "measured", "times": round(measured[0], 3), "device": measured[1]}
        if step.transition is not None:
            self.made.add(self.asker.apply(parent, step.transition.target, program, child.verdict, gain=gain))
        if measured is not None and measured[0] >= IMPROVED and self.chance.random() < 0.5:
            self.made.add(self.asker.improve(parent, program, child.verdict, gain=gain))
        if step.transition is not None and measured is not None and measured[0] >= GAIN:
            self._choice(index, parent, gain)

    def _choice(self, index: int, parent: Judged, gain: dict[str, object]) -> None:
        """What this step, and those after it, did with gain fits the program before; of what they did not do nothing is known."""
        helped = [
            step.transition.target
            for step in self.steps[index : len(self.judged)]
            if step.transition is not None and (step.measured_speedup() or (0.0, ""))[0] >= GAIN
        ]
        candidate = parent.candidate
        listed = self.ground.listed(
            candidate.source or "", self.item.task.reference.source.text, candidate.techniques, candidate
        )
        if helped[0] not in listed:
            listed = (*listed[: LISTED - 1], helped[0])
            listed = tuple(self.chance.sample(listed, len(listed)))
        fit = [slug for slug in dict.fromkeys(helped) if slug in listed]
        self.made.add(self.asker.choose(parent, listed, fit, parent.verdict, gain=gain))

    def _preferences(self) -> None:
        """Two right programs of one task, of which one was measured to be faster, in answer to one prompt."""
        pace, known = [1.0], [True]
        for step in self.steps[1 : len(self.judged)]:
            measured = step.measured_speedup()
            pace.append(pace[-1] * (measured[0] if measured else 1.0))
            known.append(known[-1] and measured is not None)
        device = next((found[1] for step in self.steps if (found := step.measured_speedup())), "")
        for one in range(len(pace)):
            for other in range(one):
                ratio = pace[one] / pace[other]
                if not known[one] or not (ratio >= PREFERRED or ratio <= 1 / PREFERRED) or self.chance.random() < 0.5:
                    continue
                fast, slow = (one, other) if ratio > 1 else (other, one)
                self._prefer(fast, slow, max(ratio, 1 / ratio), device)

    def _prefer(self, fast: int, slow: int, ratio: float, device: str) -> None:
        gain: dict[str, object] = {"how": "measured", "times": round(ratio, 3), "device": device}
        first, second = self._first_program(fast), self._first_program(slow)
        if first is not None and second is not None:
            self.made.preferences.append(replace(first, rejected=second.reply, gain=gain))

    def _first_program(self, index: int) -> Pair | None:
        """A step's program as the answer to the wish for a first one."""
        if index not in self.first_programs:
            judged = self.judged[index]
            made = self.asker.initial(judged.candidate.source or "", judged.verdict)
            self.first_programs[index] = made[0] if made else None
        return self.first_programs[index]

    def _repair(self, right: Judged) -> None:
        source = right.candidate.source or ""
        bench = Bench(self.item.task, self.ground.sandbox, Level.SCREEN)
        for planted in plant(source, self.chance, 1):
            judged = bench.judge(planted.text, right.candidate.techniques)
            if (
                judged.verdict.passed
                or not judged.verdict.feedback.strip()
                or judged.verdict.status is Status.UNSUPPORTED
            ):
                self.made.left_out["planted faults that the judge does not see"] += 1
                continue
            self.made.add(self.asker.repair(judged, source, right.verdict, fault=planted.fault))
        self.made.verdicts.update(bench.counts)


def _as_judged(item: CorpusTrajectory, step: JudgedStep, techniques: tuple[str, ...]) -> Judged:
    candidate = Candidate(
        source=step.after,
        program_hash=program_hash(step.after),
        origin=Origin(proposer=PROPOSER, seconds=0.0),
        techniques=techniques,
    )
    passed = next(verdict for verdict in step.verdicts if verdict.passed)
    return Judged(proposal_id=1, candidate=candidate, verdict=_verdict(item, passed, candidate.id))


def _verdict(item: CorpusTrajectory, on_file: StepVerdict, candidate_id: str) -> Verdict:
    """The verdict on file as a prompt needs it: its status. The file keeps no cases and no feedback, and none are told."""
    output = item.task.outputs[0].name
    case = CaseResult(
        sizes=item.task.check_sizes[0],
        family="declared",
        hidden=False,
        output=output,
        norm_error=None,
        norm_bar=None,
        element_error=None,
        mismatches=0,
        passed=True,
    )
    passed = StageOutcome.PASSED
    return Verdict(
        status=on_file.status,
        level=on_file.level,
        evaluator=on_file.evaluator,
        task_hash=on_file.task_hash,
        candidate_id=candidate_id,
        reason=on_file.reason,
        stages=tuple(Stage(name=name, outcome=passed, seconds=0.0) for name in (StageName.BUILD, StageName.CHECK)),
        cases=(case,),
        no_timing="not_reached",
        protocol=on_file.protocol,
    )
