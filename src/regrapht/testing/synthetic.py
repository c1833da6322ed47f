"""A made-up world for testing searches: techniques with hidden effects, a graph learnt from them, a proposer and an evaluator.

A program's text is the set of techniques it holds, so judging takes microseconds and two orders of the same techniques give one program.
A technique has its effect only once those it needs are applied, some pairs help or hinder each other, and each further technique costs a
little: the way up has valleys. Everything follows from a seed. Nothing here says how fast any real program is.
"""

import hashlib
import json
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.run import Budget
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.technique import Area, Technique, Transition
from regrapht.records.verdict import CaseResult, Evidence, Level, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.search.context import SearchContext

ENVIRONMENT = Environment(device="synthetic", architecture="synthetic", cpu="none", tools={}, clocks={})
START_COST = 1000.0
FAMILY = "synthetic"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticWorld:
    """Hidden truth: what each technique does. Gains are in doublings."""

    effects: Mapping[str, float]
    needs: Mapping[str, str]
    """The technique that another has no effect without."""
    pairs: Mapping[frozenset[str], float]
    """What two techniques together gain or lose beyond their own effects."""
    clutter: float = 0.02
    """Loss per squared number of techniques."""

    @classmethod
    def draw(cls, seed: int, *, techniques: int = 24) -> "SyntheticWorld":
        """A world of that many techniques."""
        chance = random.Random(f"world:{seed}")
        slugs = [f"technique-{i:02d}" for i in range(techniques)]
        effects = {slug: chance.gauss(0.0, 0.5) for slug in slugs}
        needs = {}
        for later, opener in zip(slugs[1::4], slugs[::4], strict=False):
            needs[later], effects[opener], effects[later] = opener, -0.05, chance.uniform(0.8, 1.4)
        pairs = {frozenset(chance.sample(slugs, 2)): chance.gauss(0, 0.3) for _ in range(techniques)}
        return cls(effects=effects, needs=needs, pairs=pairs)

    def varied(self, seed: int) -> "SyntheticWorld":
        """Another task of the same world: every effect a little different."""
        chance = random.Random(f"task:{seed}")
        return replace(self, effects={slug: gain + chance.gauss(0, 0.2) for slug, gain in self.effects.items()})

    def gain(self, applied: frozenset[str]) -> float:
        """Doublings over the plain program."""
        own = sum(self.effects[slug] for slug in applied if self.needs.get(slug) is None or self.needs[slug] in applied)
        together = sum(gain for pair, gain in self.pairs.items() if pair <= applied)
        return own + together - self.clutter * len(applied) ** 2

    def expert_path(self, seed: int, *, steps: int = 5) -> tuple[str, ...]:
        """Techniques in the order an expert applies them, who half sees the gains and knows what a technique needs."""
        chance = random.Random(f"expert:{seed}")
        applied: list[str] = []
        for _ in range(steps):
            seen = {
                slug: self._outlook(frozenset(applied), slug) + chance.gauss(0, 0.35)
                for slug in self.effects
                if slug not in applied
            }
            applied.append(max(seen, key=lambda slug: seen[slug]))
        return tuple(applied)

    def _outlook(self, applied: frozenset[str], slug: str) -> float:
        now = self.gain(applied | {slug}) - self.gain(applied)
        opened = [
            self.gain(applied | {slug, later}) - self.gain(applied) for later, n in self.needs.items() if n == slug
        ]
        return max([now, *(gain / 2 for gain in opened)])


def synthetic_graph(world: SyntheticWorld, *, seed: int, paths: int = 30) -> TechniqueGraph:
    """What experts did on other tasks of this world, and in two families where other techniques help; no exemplars."""
    families = {
        FAMILY: world,
        "another": SyntheticWorld.draw(seed + 10_001, techniques=len(world.effects)),
        "a-third": SyntheticWorld.draw(seed + 10_002, techniques=len(world.effects)),
    }
    known = []
    for i in range(paths):
        family = sorted(families)[i % 3]
        task = families[family].varied(1_000 * seed + i + 1)
        slugs = task.expert_path(1_000 * seed + i)
        gains = [task.gain(frozenset(slugs[: n + 1])) - task.gain(frozenset(slugs[:n])) for n in range(len(slugs))]
        speedups = tuple(2**gain for gain in gains)
        known.append(TechniquePath(task_id=f"expert-{i}", family=family, source="hand", slugs=slugs, speedups=speedups))
    return TechniqueGraph(
        techniques={
            slug: Technique(slug=slug, title=slug, area=Area.MEMORY, meaning="Made up.", condition="Always.")
            for slug in world.effects
        },
        edges={transition: () for path in known for transition in path.transitions},
        paths=tuple(known),
    )


def synthetic_context(world: SyntheticWorld, graph: TechniqueGraph, *, budget: Budget, seed: int = 0) -> SearchContext:
    """A context in which the best imaginable program would earn a reward of about 1."""
    ceiling = sum(gain for gain in world.effects.values() if gain > 0) + sum(g for g in world.pairs.values() if g > 0)
    return SearchContext(
        task_id="synthetic",
        family=FAMILY,
        graph=graph,
        yardstick=Yardstick(
            scale=Scale.MODELLED, start=START_COST, floor=START_COST / 2 ** max(1.0, ceiling), start_name="plain"
        ),
        budget=budget,
        seed=seed,
        proposer="synthetic",
        device=ENVIRONMENT.architecture,
    )


def synthetic_task() -> Task:
    """A small valid task; its reference is never run by the synthetic evaluator."""
    size, real = SCALAR_TYPES["int64"], SCALAR_TYPES["float32"]
    text = "void scale(long long n, const float* x, float* y) { for (long long i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
    shape, normal = (Expression("n"),), Init(kind="normal")
    return Task(
        id="synthetic",
        title="Synthetic",
        description="Stands in where a test needs a task.",
        entry="scale",
        reference=Reference(source=SourceFile(name="reference.cpp", text=text)),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=size),
            Arg(name="x", kind=ArgKind.ARRAY, dtype=real, shape=shape, role=Role.IN, init=normal),
            Arg(name="y", kind=ArgKind.ARRAY, dtype=real, shape=shape, role=Role.OUT),
        ),
        check_sizes=({"n": 64},),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8 * n")),
        family=FAMILY,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticProposer:
    """Adds the technique asked for, and fails at it as often as told; deterministic in the proposal's parent, transition and attempt."""

    world: SyntheticWorld
    seed: int = 0
    failure: float = 0.3
    repair: float = 0.4
    """Chance that a repair works."""
    unusable: float = 0.0
    """Chance of an answer without source."""
    settings_per_technique: int = 3
    """Attempts at one transition before the proposer has no further one to offer."""
    name: str = field(default="synthetic", init=False)

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The parent's techniques with one more; one at random for a request that names none."""
        parent = proposal.parent.candidate if proposal.parent is not None else None
        chance = random.Random(
            f"{self.seed}:{parent and parent.id}:{proposal.kind}:{proposal.transition}:{proposal.attempt}"
        )
        applied = parent.techniques if parent is not None else ()
        if proposal.kind is ProposalKind.CHOOSE:
            chosen = tuple(chance.sample(proposal.choices, 2))
            return replace(self._without_source(proposal, applied, NoSource.SKIPPED), chosen=chosen)
        if proposal.kind is ProposalKind.APPLY and proposal.attempt >= self.settings_per_technique:
            return self._without_source(proposal, applied, NoSource.SKIPPED)
        if chance.random() < self.unusable:
            return self._without_source(proposal, applied, NoSource.UNPARSABLE)
        fails = 1 - self.repair if proposal.kind is ProposalKind.REPAIR else self.failure
        if proposal.kind is ProposalKind.APPLY and proposal.transition is not None:
            applied = (*applied, proposal.transition.target)
        elif proposal.kind is ProposalKind.IMPROVE:
            applied = (*applied, chance.choice(sorted(self.world.effects)))
        fault = chance.choice(["build", "wrong"]) if chance.random() < fails else None
        nonce = chance.getrandbits(32) if fault else 0
        source = json.dumps({"techniques": sorted(set(applied)), "fault": fault, "nonce": nonce})
        return Candidate(
            source=source,
            program_hash=hashlib.sha256(source.encode()).hexdigest(),
            origin=Origin(proposer=self.name, seconds=0.0),
            parent=parent.id if parent is not None else None,
            transition=proposal.transition,
            techniques=applied,
        )

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """None: like a model, it cannot know."""
        return None

    def _without_source(self, proposal: Proposal, applied: tuple[str, ...], why: NoSource) -> Candidate:
        return Candidate(
            source=None,
            program_hash=None,
            origin=Origin(proposer=self.name, seconds=0.0),
            transition=proposal.transition,
            techniques=applied,
            no_source=why,
            reason=f"nothing for proposal {proposal.id}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticEvaluator:
    """Reads a program's techniques from its text and looks their cost up."""

    world: SyntheticWorld
    name: str = field(default="synthetic", init=False)

    def environment(self) -> Environment:
        return ENVIRONMENT

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """PASSED with a modelled cost, or the fault that the text names."""
        if candidate.source is None:
            status = Status.SKIPPED if candidate.no_source is NoSource.SKIPPED else Status.UNPARSABLE
            return self.verdict(task, candidate, level, status)
        program = json.loads(candidate.source)
        if program["fault"] is not None:
            status = Status.BUILD_FAILED if program["fault"] == "build" else Status.WRONG_VALUE
            return self.verdict(task, candidate, level, status)
        cost = START_COST / 2 ** self.world.gain(frozenset(program["techniques"]))
        return self.verdict(task, candidate, level, Status.PASSED, cost=cost)

    def verdict(
        self, task: Task, candidate: Candidate, level: Level, status: Status, *, cost: float = math.nan
    ) -> Verdict:
        """A valid verdict of that status; `cost` of a passed one."""
        return synthetic_verdict(status, cost=cost, level=level, candidate_id=candidate.id)


def synthetic_verdict(
    status: Status, *, cost: float = START_COST, level: Level = Level.SCREEN, candidate_id: str = "candidate"
) -> Verdict:
    """A valid verdict of that status; a passed one with this modelled cost."""
    passed = status is Status.PASSED
    unbuilt = {
        Status.UNPARSABLE,
        Status.SKIPPED,
        Status.BUILD_FAILED,
        Status.POLICY_REJECTED,
        Status.UNSUPPORTED,
        Status.INVALID_TASK,
    }
    built = StageOutcome.FAILED if status in unbuilt else StageOutcome.PASSED
    stages = [Stage(name=StageName.BUILD, outcome=built, seconds=0.0)]
    if passed:
        stages.append(Stage(name=StageName.CHECK, outcome=StageOutcome.PASSED, seconds=0.0))
    return Verdict(
        status=status,
        level=level,
        evaluator="synthetic",
        task_hash="synthetic",
        candidate_id=candidate_id,
        reason=f"synthetic: {status}",
        feedback="" if passed else "synthetic fault",
        stages=tuple(stages),
        cases=(_CASE,) if passed else (),
        no_timing="no_gpu" if passed else "not_reached",
        evidence=_evidence(cost) if passed else None,
        environment=ENVIRONMENT,
    )


_CASE = CaseResult(
    sizes={"n": 64},
    family="declared",
    hidden=False,
    output="y",
    norm_error=0.0,
    norm_bar=1e-5,
    element_error=None,
    mismatches=0,
    passed=True,
)


def _evidence(cost: float) -> Evidence:
    return Evidence(
        sizes={"n": 64},
        launches=1,
        threads=64,
        instructions=64,
        flops=64,
        global_sectors=16,
        ideal_global_sectors=16,
        shared_passes=0,
        ideal_shared_passes=0,
        barriers=0,
        divergence=1.0,
        modelled_cost=cost,
    )
