"""The proposer without a model: a compiler of techniques on isl."""

import random
import time

from regrapht.errors import CannotTransform, SchemaError
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import INIT, Transition
from regrapht.source.program_hash import program_hash
from regrapht.transform import (
    BY_SLUG,
    LOCK,
    PLAIN,
    Decision,
    DoesNotApply,
    Engine,
    decisions_from_json,
    decisions_to_json,
)
from regrapht.transform.rules.application import applies, choices, reason_against
from regrapht.transform.rules.rule import NO_NEST
from regrapht.transform.verbatim import steps as verbatim_steps
from regrapht.transform.verbatim.observations import Observer
from regrapht.transform.verbatim.steps import is_verbatim

NAME = "transform"


class TransformProposer:
    """Applies techniques by rule. Deterministic: the same task and proposal give the same text.

    Args:
        seed: Added to the proposal's own seed where a rule is drawn (`improve`).
        observer: Runs instrumented references; without one, loops that nothing proves independent are not launched.
        proved: Whether programs must rest on proofs alone.
    """

    name = NAME

    def __init__(self, *, seed: int = 0, observer: Observer | None = None, proved: bool = False) -> None:
        self._seed = seed
        self._engine = Engine(observer, proved=proved)

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The program asked for, or a candidate without source that says why there is none.

        Raises:
            CannotTransform: The engine cannot take this task at all; says line, reason and remedy.
        """
        started = time.perf_counter()
        with LOCK:
            self._engine.require(task)
            try:
                decisions = self._decide(task, proposal)
                return self._candidate(task, decisions, proposal, started)
            except (DoesNotApply, CannotTransform) as reason:
                return self._skipped(str(reason), proposal, started)

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool:
        """Whether the transition's technique applies to the candidate; False for one that this engine did not write.

        Where one thread does the main work, rules that give it threads go first: no other one does then.
        """
        with LOCK:
            try:
                decisions = self._decisions_of(candidate)
                giving = frozenset() if is_verbatim(decisions) else self._engine.gives_threads(task, decisions)
                if giving and transition.target not in giving:
                    return False
                return self._applies(task, decisions, transition.target)
            except (DoesNotApply, CannotTransform):
                return False

    def looks_into(self, candidate: Candidate, technique: str) -> bool:
        """Whether a rule of that name knows a program of this engine's well enough to say that it is out of place there."""
        return technique in BY_SLUG and not is_verbatim(self._decisions_of(candidate))

    def plain(self, task: Task) -> Candidate:
        """The straightforward CUDA version: a thread an output element, innermost index on x, 256 threads, no sharing.

        Raises:
            CannotTransform: The engine cannot take this task.
        """
        return self.propose(task, Proposal(id=1, kind=ProposalKind.INITIAL))

    def rebuild(self, task: Task, decisions: tuple[Decision, ...]) -> Candidate:
        """The candidate that `decisions`, at least one, make: the same text as when they were taken.

        Raises:
            CannotTransform: The engine cannot take this task.
            DoesNotApply: A decision does not apply where it stands.
        """
        started = time.perf_counter()
        with LOCK:
            return self._candidate(task, decisions, Proposal(id=1, kind=ProposalKind.INITIAL), started)

    # ---- decisions

    def _decide(self, task: Task, proposal: Proposal) -> tuple[Decision, ...]:
        """The decisions of the candidate that the proposal asks for.

        Raises:
            DoesNotApply: There is none; says why.
        """
        if proposal.kind is ProposalKind.INITIAL:
            return self._nth(task, (), PLAIN, proposal.attempt)
        assert proposal.parent is not None
        before = self._decisions_of(proposal.parent.candidate)
        if proposal.kind is ProposalKind.APPLY:
            assert proposal.transition is not None
            return (*before, *self._nth(task, before, proposal.transition.target, proposal.attempt))
        if proposal.kind is ProposalKind.REPAIR:
            return self._repaired(task, before, proposal.attempt)
        return (*before, self._drawn(task, before, proposal))

    @staticmethod
    def _decisions_of(candidate: Candidate) -> tuple[Decision, ...]:
        if candidate.origin.decisions is None:
            raise DoesNotApply(
                f"the parent was written by '{candidate.origin.proposer}': the transform engine only changes programs of its own"
            )
        try:
            return decisions_from_json(candidate.origin.decisions)
        except SchemaError as error:
            raise DoesNotApply(str(error)) from error

    def _applies(self, task: Task, before: tuple[Decision, ...], slug: str) -> bool:
        """Whether `_ways` would find any, without ordering them."""
        rule = BY_SLUG.get(slug)
        if rule is None:
            return False
        if is_verbatim(before):
            return bool(verbatim_steps.choices(before, slug))
        if applies(self._engine.program(task, before), rule):
            return True
        return any(self._applies_after(task, before, needed, slug) for needed in rule.after)

    def _applies_after(self, task: Task, before: tuple[Decision, ...], needed: str, slug: str) -> bool:
        try:
            first = self._ways(task, before, needed)[0]
        except DoesNotApply:
            return False
        return self._applies(task, (*before, *first), slug)

    def _ways(self, task: Task, before: tuple[Decision, ...], slug: str) -> list[tuple[Decision, ...]]:
        """The decisions that apply a rule, for each of its settings; where it needs another first, that one with its first setting."""
        rule = BY_SLUG.get(slug)
        if rule is None:
            raise DoesNotApply(f"the transform engine has no rule '{slug}'")
        if is_verbatim(before):
            if steps := verbatim_steps.choices(before, slug):
                return [(step,) for step in steps]
            raise DoesNotApply(f"{slug} does not apply: {verbatim_steps.reason_against(before, slug)}")
        program = self._engine.program(task, before)
        if found := choices(program, rule):
            return [(choice.decision,) for choice in found]
        for needed in rule.after:
            try:
                first = self._ways(task, before, needed)[0]
                return [(*first, *rest) for rest in self._ways(task, (*before, *first), slug)]
            except DoesNotApply:
                continue
        raise DoesNotApply(f"{slug} does not apply: {reason_against(program, rule)}")

    def _nth(self, task: Task, before: tuple[Decision, ...], slug: str, attempt: int) -> tuple[Decision, ...]:
        if slug == PLAIN and not before and self._engine.keeps_bodies(task):
            if attempt:
                raise DoesNotApply("a program that keeps the bodies as they are written has one mapping")
            return self._engine.plain(task)
        if slug == PLAIN and not self._engine.analysis(task).nests:
            if attempt:
                raise DoesNotApply(f"{NO_NEST}, and so no other mapping")
            return self._engine.plain(task)
        found = self._ways(task, before, slug)
        if attempt >= len(found):
            raise DoesNotApply(f"{slug} has {len(found)} settings here, and all were tried")
        return found[attempt]

    def _repaired(self, task: Task, before: tuple[Decision, ...], attempt: int) -> tuple[Decision, ...]:
        """The decisions with other parameters for the last; without the last once these run out."""
        last, kept = before[-1], before[:-1]
        if is_verbatim(before) and not kept:
            raise DoesNotApply("a program that keeps the bodies as they are written has one mapping")
        others = [way for way in self._ways(task, kept, last.technique) if way[-1] != last]
        if attempt < len(others):
            return (*kept, *others[attempt])
        if attempt == len(others) and kept:
            return kept
        raise DoesNotApply(f"no other setting of {last.technique} is left to try")

    def _drawn(self, task: Task, before: tuple[Decision, ...], proposal: Proposal) -> Decision:
        """One rule that applies, drawn by seed, with its first setting at the first attempt and so on."""
        if is_verbatim(before):
            fitting = [found for slug in verbatim_steps.SETTINGS if (found := verbatim_steps.choices(before, slug))]
        else:
            program = self._engine.program(task, before)
            giving = self._engine.gives_threads(task, before)
            rules = [rule for rule in BY_SLUG.values() if rule.slug != PLAIN and (not giving or rule.slug in giving)]
            offered = (choices(program, rule) for rule in rules)
            fitting = [[choice.decision for choice in found] for found in offered if found]
        if not fitting:
            raise DoesNotApply("no rule of the transform engine applies to this program")
        chance = random.Random(f"{self._seed}/{proposal.seed}/{proposal.attempt}/{decisions_to_json(before)}")
        return chance.choice(chance.choice(fitting))

    # ---- candidates

    def _candidate(self, task: Task, decisions: tuple[Decision, ...], proposal: Proposal, started: float) -> Candidate:
        source = self._engine.text(task, decisions)
        last = decisions[-1]
        origin = Origin(proposer=NAME, seconds=time.perf_counter() - started, decisions=decisions_to_json(decisions))
        return Candidate(
            source=source,
            program_hash=program_hash(source),
            origin=origin,
            parent=proposal.parent.candidate.id if proposal.parent else None,
            transition=proposal.transition or self._transition(decisions),
            techniques=tuple(decision.technique for decision in decisions),
            one_thread=self._engine.in_one_thread(task, decisions),
            independence=self._engine.verbatim(task).independence if is_verbatim(decisions) else None,
            explanation=f"{last}: {BY_SLUG[last.technique].explanation}",
        )

    @staticmethod
    def _transition(decisions: tuple[Decision, ...]) -> Transition:
        slugs = [INIT, *(decision.technique for decision in decisions)]
        return Transition(slugs[-2], slugs[-1])

    @staticmethod
    def _skipped(reason: str, proposal: Proposal, started: float) -> Candidate:
        parent = proposal.parent.candidate if proposal.parent else None
        return Candidate(
            source=None,
            program_hash=None,
            origin=Origin(proposer=NAME, seconds=time.perf_counter() - started),
            parent=parent.id if parent else None,
            transition=proposal.transition,
            techniques=parent.techniques if parent else (),
            no_source=NoSource.SKIPPED,
            reason=reason,
        )
