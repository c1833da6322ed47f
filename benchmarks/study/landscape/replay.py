"""A proposer and a judge over a table. What the table does not offer is an error of the harness, never a verdict.

Requests without a technique are answered as an unguided writer would. The first request for a program gives the table's first one, a
further one a program with up to four techniques drawn at random at once, and a request for a faster program one or two; behind a program
where the table is cut off, it begins again from the first one. Where steps are spoiled, each technique of such an answer fails at half its
own rate, as when several things are written in one go. A failure stays in whatever is made of the program until a repair works.
"""

import hashlib
import random
from dataclasses import dataclass, replace

from regrapht.errors import ConfigError
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import Transition
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict
from study.landscape.spoil import Fault, Spoil
from study.landscape.table import Table, Way

MOST_AT_FIRST, MOST_IMPROVED = 3, 2
"""Techniques that an unguided answer takes at most, beyond the first program and at a program."""
_EASE = 0.5
_WAY = " by "
"""Between a program's hash and the way that led to it, where ways are kept apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A spoiled candidate: the program it was to be, and what is wrong."""

    program: str
    fault: Fault
    hopeless: bool


class TableProposer:
    """Answers from a table. Deterministic in (seed, proposal), whatever was asked before.

    Args:
        leaps: Whether unguided answers take several techniques at once; otherwise they are what the transform engine gives: the next
            setting of the first program, and one technique drawn at random.
        merge: Whether two ways to one program give one program; otherwise each way's is another one, as for a search on a tree.
    """

    name = "transform"

    def __init__(
        self, table: Table, *, seed: int, spoil: Spoil | None = None, leaps: bool = True, merge: bool = True
    ) -> None:
        self._table, self._seed, self._leaps, self._merge = table, seed, leaps, merge
        self._spoil = spoil if spoil is not None and spoil.share else None
        self._faults: dict[tuple[object, ...], Fault | None] = {}
        self._broken: dict[str, Broken] = {}

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The program that the table has for the proposal, perhaps spoiled, or a candidate without source.

        Raises:
            ConfigError: The proposal asks for something that is not recorded.
        """
        kind, parent = proposal.kind, proposal.parent.candidate if proposal.parent is not None else None
        if kind is ProposalKind.INITIAL:
            return self._initial(proposal)
        assert parent is not None
        broken, program = self._broken.get(parent.id), self.program_of(parent)
        if kind is ProposalKind.REPAIR:
            return self._repair(proposal, parent, broken)
        if kind is ProposalKind.IMPROVE and not self._table.techniques(program):
            return self._afresh(proposal)
        if kind is ProposalKind.IMPROVE:
            way, fault = self._walk(program, proposal, self._steps_at_once(proposal, MOST_IMPROVED))
        elif kind is ProposalKind.APPLY and proposal.transition is not None:
            way, fault = self._apply(program, proposal.transition.target, proposal.attempt)
        else:
            raise ConfigError(f"a landscape has no answer to a request of kind {kind}")
        if way is None:
            return self._skipped(proposal, "nothing further is recorded here")
        if broken is not None:
            return self._spoiled(way, proposal, broken.fault, hopeless=broken.hopeless)
        if fault is not None:
            return self._spoiled(way, proposal, fault)
        return self._candidate(way, proposal)

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """False for what is not recorded."""
        return self._table.fits(self.program_of(candidate), transition.target)

    def broken(self, candidate: Candidate) -> Broken | None:
        """What is wrong with a candidate that was spoiled here; None for one of the table's own programs."""
        return self._broken.get(candidate.id)

    def program_of(self, candidate: Candidate) -> str:
        """The table's program that a candidate is, or was to be."""
        broken = self._broken.get(candidate.id)
        if broken is not None:
            return broken.program
        assert candidate.program_hash is not None, "only programs are asked about"
        return candidate.program_hash.partition(_WAY)[0]

    # ---- kinds of requests

    def _initial(self, proposal: Proposal) -> Candidate:
        first = self._table.first(0)
        assert first is not None, "a table has a first program"
        if proposal.attempt == 0:  # given as correct: what is studied begins after it
            return self._candidate(first, proposal)
        if not self._leaps:
            way = self._table.first(proposal.attempt)
            return self._candidate(way, proposal) if way else self._skipped(proposal, "all first programs were given")
        return self._afresh(proposal)

    def _afresh(self, proposal: Proposal) -> Candidate:
        """A program from the first one on: for a request for a program, and where a table that is cut off has nothing to improve by."""
        first = self._table.first(0)
        assert first is not None, "a table has a first program"
        chance = self._chance("afresh", proposal.kind, proposal.attempt, proposal.seed)
        way, fault = self._walk(first.program, proposal, chance.randint(0, MOST_AT_FIRST))
        whole = Way(way.program, (*first.techniques, *way.techniques)) if way is not None else first
        alone = replace(proposal, kind=ProposalKind.INITIAL, parent=None, transition=None)
        return self._spoiled(whole, alone, fault) if fault is not None else self._candidate(whole, alone)

    def _apply(self, program: str, technique: str, attempt: int) -> tuple[Way | None, Fault | None]:
        """The n-th attempt at a technique. One that fails uses up no setting: the next one is another sample of it."""
        if not self._table.fits(program, technique) and technique not in self._table.techniques(program):
            raise ConfigError(f"{self._table.name}: no transition to {technique} is recorded at program {program[:12]}")
        used = sum(self._fault(program, technique, earlier) is None for earlier in range(attempt))
        way, fault = self._table.way(program, technique, used), self._fault(program, technique, attempt)
        return way, fault

    def _walk(self, program: str, proposal: Proposal, steps: int) -> tuple[Way | None, Fault | None]:
        """So many techniques one after the other, each drawn from what is offered; None where nothing is."""
        chance = self._chance(proposal.kind, program, proposal.attempt, proposal.seed)
        taken: tuple[str, ...] = ()
        for _ in range(steps):
            offered = self._table.techniques(program)
            technique = chance.choice(offered) if offered else None
            way = self._drawn_way(program, technique, chance) if technique is not None else None
            if way is None:
                break
            program, taken = way.program, (*taken, *way.techniques)
        if not taken:
            return None, None
        key = ("walk", proposal.kind, proposal.attempt, proposal.seed)
        fault = self._spoil.fault(taken, program, *key, ease=_EASE) if self._spoil else None
        return Way(program, taken), fault

    def _drawn_way(self, program: str, technique: str, chance: random.Random) -> Way | None:
        """One of the technique's settings, an earlier one the likelier: the second is taken half as often as the first, and so on."""
        attempt = 0
        while chance.random() < 0.5 and self._table.way(program, technique, attempt + 1) is not None:
            attempt += 1
        return self._table.way(program, technique, attempt)

    def _repair(self, proposal: Proposal, parent: Candidate, broken: Broken | None) -> Candidate:
        if broken is None or self._spoil is None:
            return self._skipped(proposal, "no repair of this program is recorded")
        way = Way(broken.program, ())
        key = (parent.id, proposal.attempt, proposal.seed)
        if not broken.hopeless and self._spoil.mends(broken.fault, *key):
            return self._candidate(way, proposal)
        return self._spoiled(way, proposal, broken.fault, hopeless=broken.hopeless)

    # ---- candidates

    def _candidate(self, way: Way, proposal: Proposal) -> Candidate:
        """One of the table's programs, as reached by this way."""
        parent = proposal.parent.candidate if proposal.parent is not None else None
        techniques = (*parent.techniques, *way.techniques) if parent is not None else way.techniques
        source, program = self._table.source(way.program), way.program
        if not self._merge:
            program += f"{_WAY}{parent.id[:16] if parent is not None else ''}/{'/'.join(techniques)}/{proposal.attempt}"
            source += f"// reached as {program}\n"
        return Candidate(
            source=source,
            program_hash=program,
            origin=_ORIGIN,
            parent=parent.id if parent is not None else None,
            transition=proposal.transition,
            techniques=techniques,
        )

    def _spoiled(self, way: Way, proposal: Proposal, fault: Fault, *, hopeless: bool | None = None) -> Candidate:
        """A candidate that fails where the table's program would not. It is never built: its first line only tells it from others."""
        assert self._spoil is not None
        intended = self._candidate(way, proposal)
        key = (way.program, intended.parent, proposal.kind, proposal.transition, proposal.attempt, proposal.seed)
        mark = hashlib.sha256(repr((self._seed, *key)).encode()).hexdigest()
        candidate = replace(
            intended, source=f"#error spoiled step {mark}\n{intended.source}", program_hash=f"spoiled-{mark}"
        )
        if hopeless is None:
            hopeless = self._spoil.is_hopeless(way.program, intended.parent, proposal.attempt)
        self._broken[candidate.id] = Broken(program=way.program, fault=fault, hopeless=hopeless)
        return candidate

    @staticmethod
    def _skipped(proposal: Proposal, reason: str) -> Candidate:
        parent = proposal.parent.candidate if proposal.parent is not None else None
        return Candidate(
            source=None,
            program_hash=None,
            origin=_ORIGIN,
            parent=parent.id if parent is not None else None,
            transition=proposal.transition,
            techniques=parent.techniques if parent is not None else (),
            no_source=NoSource.SKIPPED,
            reason=reason,
        )

    # ---- chance

    def _fault(self, program: str, technique: str, attempt: int) -> Fault | None:
        if self._spoil is None:
            return None
        key = (program, technique, attempt)
        if key not in self._faults:
            self._faults[key] = self._spoil.fault((technique,), program, attempt)
        return self._faults[key]

    def _steps_at_once(self, proposal: Proposal, most: int) -> int:
        return self._chance("steps", proposal.attempt, proposal.seed).randint(1, most) if self._leaps else 1

    def _chance(self, *key: object) -> random.Random:
        return random.Random(f"{self._seed}/{self._table.name}/{key}")


class TableJudge:
    """Answers with the table's verdicts, and with a failure for what the proposer spoiled."""

    def __init__(self, table: Table, proposer: TableProposer) -> None:
        self._table, self._proposer = table, proposer
        self.name, self._task_hash = f"replay of {table.name}", table.task.content_hash

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level = Level.SCREEN) -> Verdict:
        """The verdict, at screening level.

        Raises:
            EvaluatorUnavailable: The candidate is none of the table's programs and was not spoiled by the proposer.
        """
        if candidate.source is None:
            return self._failure(candidate, Status.SKIPPED, candidate.reason or "", built=False)
        broken = self._proposer.broken(candidate)
        if broken is None:
            program = self._proposer.program_of(candidate)
            return self._table.verdict(
                candidate if candidate.program_hash == program else replace(candidate, program_hash=program)
            )
        if broken.fault is Fault.BUILD:
            return self._failure(candidate, Status.BUILD_FAILED, "spoiled: does not build", built=False)
        return self._failure(candidate, Status.WRONG_VALUE, "spoiled: wrong result", built=True)

    def _failure(self, candidate: Candidate, status: Status, reason: str, *, built: bool) -> Verdict:
        stages = [Stage(name=StageName.BUILD, outcome=_OUTCOMES[built], seconds=0.0)]
        if built:
            stages.append(Stage(name=StageName.CHECK, outcome=StageOutcome.FAILED, seconds=0.0))
        return Verdict(
            status=status,
            level=Level.SCREEN,
            evaluator=self.name,
            task_hash=self._task_hash,
            candidate_id=candidate.id,
            reason=reason,
            feedback=reason,
            stages=tuple(stages) if status is not Status.SKIPPED else (),
            cases=(_WRONG,) if built else (),
            no_timing="not_reached",
            labels=("spoiled_step",) if status is not Status.SKIPPED else (),
        )


_ORIGIN = Origin(proposer=TableProposer.name, seconds=0.0)
_OUTCOMES = {True: StageOutcome.PASSED, False: StageOutcome.FAILED}
_WRONG = CaseResult(
    sizes={}, family="declared", hidden=False, output="", norm_error=1.0, norm_bar=0.0, element_error=None, mismatches=1,
    passed=False,
)  # fmt: skip
