"""The search over open parameters as part of a run: its budget, what it leaves out, the best, and resuming."""

import json
from dataclasses import dataclass, replace

import pytest

from regrapht.errors import SchemaError
from regrapht.loop import OptimizeSettings, run_search
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Proposal, ProposalKind, Wait
from regrapht.records.run import Asked, Budget
from regrapht.records.verdict import KernelResources, Level, Status
from regrapht.search import SEARCHES
from regrapht.source.program_hash import program_hash
from regrapht.testing.search_conformance import GRAPH, TASK, WORLD, SearchConformance, context
from regrapht.testing.synthetic import SyntheticEvaluator, SyntheticProposer, synthetic_context, synthetic_verdict
from regrapht.tune.opening import CannotOpen, DoesNotFit, OpenParameter, Setting, words
from regrapht.tune.tuned_search import INDISTINCT, KNOWN, NOT_BUILT, NOT_LAUNCHED, TunedSearch

PROPOSER = SyntheticProposer(world=WORLD, seed=5)
EVALUATOR = SyntheticEvaluator(world=WORLD)
SIZES = tuple(map(str, (32, 64, 128, 256, 512, 1024, 2048)))
PARAMETERS = (
    OpenParameter(name="BLOCK", values=SIZES, start="256", shapes_launch=True),
    OpenParameter(name="UNROLL", values=("1", "2", "4", "8"), start="1"),
    OpenParameter(name="HIDDEN", values=tuple(map(str, range(6))), start="0"),
)


@dataclass(frozen=True)
class MadeUp:
    """A program whose text says its setting; UNROLL 8 has no program."""

    tuned: Candidate
    parameters: tuple[OpenParameter, ...] = PARAMETERS

    def candidate(self, setting: Setting) -> Candidate:
        if setting.get("UNROLL") == "8":
            raise DoesNotFit("too much")
        if all(setting[parameter.name] == parameter.start for parameter in self.parameters):
            return self.tuned
        body = f"int s = {[*setting.values()]};\nvoid e(int n) {{ k<<<n, {setting['BLOCK']}>>>(n); }}"
        source = f"__global__ void k(int n) {{}} // {words(setting)}\n{body}"
        return Candidate(
            source=source,
            program_hash=program_hash(source),
            origin=self.tuned.origin,
            parent=self.tuned.id,
            techniques=self.tuned.techniques,
        )


def cost(setting: Setting, start: float) -> float:
    """BLOCK 128 with UNROLL 4 is best; HIDDEN does nothing."""
    return start * {"128": 0.5, "256": 1.0}.get(setting["BLOCK"], 2.0) / (1 + 0.1 * int(setting.get("UNROLL", 1)))


class Tuning:
    """Serves a tuned search in the made-up world."""

    def __init__(self, *, budget: int = 12, seed: int = 1, parameters=PARAMETERS, search: str = "direct", resources=()):
        self.context = context(Budget(candidates=4), seed=seed)
        self.start_cost = self.context.yardstick.start
        self.resources = resources
        self.search = TunedSearch(
            SEARCHES.load(search)(self.context),
            task=TASK,
            yardstick=self.context.yardstick,
            budget=budget,
            seed=seed,
            opener=lambda task, candidate: MadeUp(candidate, parameters),
        )
        self.asked: list[Setting] = []

    name = "made-up"

    def propose(self, task, proposal: Proposal) -> Candidate:
        if proposal.kind is not ProposalKind.TUNE:
            return replace(PROPOSER, failure=0.0).propose(task, proposal)
        self.asked.append(json.loads(proposal.notes))
        return MadeUp(proposal.parent.candidate).candidate(self.asked[-1])

    def evaluate(self, task, candidate, *, level):
        if "__global__" not in candidate.source:
            verdict = EVALUATOR.evaluate(task, candidate, level=level)
            return replace(verdict, resources=self.resources)
        setting = dict(part.split(" = ") for part in candidate.source.splitlines()[0].partition("// ")[2].split(", "))
        return synthetic_verdict(
            Status.PASSED, cost=cost(setting, self.start_cost), level=level, candidate_id=candidate.id
        )

    def run(self, **options):
        return run_search(
            TASK, search=self.search, proposer=self, evaluator=self, settings=OptimizeSettings(pause_s=0.001), **options
        )


def test_it_finds_a_better_setting_than_the_search_left():
    tuning = Tuning(budget=30)
    outcome = tuning.run()
    assert "BLOCK = 128" in outcome.best.candidate.source and "UNROLL = 4" in outcome.best.candidate.source
    assert outcome.best.verdict.level is Level.FULL


def test_the_budget_is_its_own():
    tuning = Tuning(budget=6)
    outcome = tuning.run()
    assert len(tuning.asked) == tuning.search.report().judged == 6
    assert outcome.judged == 6 + 1


def test_what_is_not_worth_a_judgement_is_not_asked_for():
    tuning = Tuning(budget=60)
    tuning.run()
    assert all(setting["BLOCK"] != "2048" and setting["UNROLL"] != "8" for setting in tuning.asked)
    left_out = dict(tuning.search.report().left_out)
    assert {NOT_BUILT, NOT_LAUNCHED, INDISTINCT} <= set(left_out), left_out
    assert len({words(setting) for setting in tuning.asked}) == len(tuning.asked)


def test_registers_that_the_compiler_said_rule_out_large_blocks():
    said = (KernelResources(name="k", registers_per_thread=100, static_shared_bytes=0, spill_bytes=0),)
    tuning = Tuning(budget=60, resources=said, parameters=PARAMETERS[:2])
    tuning.run()
    assert {"BLOCK": "1024", "UNROLL": "1"} not in tuning.asked
    assert {"BLOCK": "1024", "UNROLL": "2"} in tuning.asked, "other code, other registers"


def test_a_measured_run_trusts_no_model():
    tuning = Tuning(budget=60)
    tuning.search._yardstick = Yardstick(scale=Scale.MEASURED_US, start=100.0, floor=1.0, start_name="sequential")
    tuning.run()
    assert INDISTINCT not in dict(tuning.search.report().left_out)


def test_the_same_seed_gives_the_same_settings():
    first, second = Tuning(budget=15), Tuning(budget=15)
    first.run(), second.run()
    assert first.asked == second.asked


@pytest.mark.parametrize("stops_after", [1, 2, 7, 12, 19])
def test_an_interrupted_run_goes_on_as_it_would_have(stops_after):
    whole, events = Tuning(budget=12, search="mcgs"), []
    whole.run(observer=events.append)
    part = Tuning(budget=12, search="mcgs")
    rest: list = []
    part.run(replayed=events[:stops_after], observer=rest.append)
    assert [event.proposal for event in events if isinstance(event, Asked)] == [
        event.proposal for event in [*events[:stops_after], *rest] if isinstance(event, Asked)
    ]


def test_other_events_than_its_own_are_refused():
    events = []
    Tuning(budget=5, seed=1).run(observer=events.append)
    with pytest.raises(SchemaError, match="start a new run"):
        Tuning(budget=5, seed=2).run(replayed=events)


def test_an_abandoned_setting_may_be_asked_for_again():
    search = Tuning(budget=3, parameters=PARAMETERS[:2]).search
    first = search.ask()
    candidate = replace(PROPOSER, failure=0.0).propose(TASK, first)
    search.tell(first, candidate, EVALUATOR.evaluate(TASK, candidate, level=Level.SCREEN))
    tuned = search.ask()
    assert tuned.kind is ProposalKind.TUNE and tuned.id == first.id + 1
    search.abandon(tuned)
    with pytest.raises(ValueError, match="not out"):
        search.abandon(tuned)
    assert isinstance(search.ask(), Proposal) and search.report().judged == 0


def test_programs_that_were_judged_are_not_judged_again():
    """A setting whose program is one from before costs nothing, and its cost is known."""

    @dataclass(frozen=True)
    class Twins(MadeUp):
        def candidate(self, setting):
            return self.tuned if setting["BLOCK"] == "128" else super().candidate({**setting, "UNROLL": "1"})

    tuning = Tuning(budget=30, parameters=PARAMETERS[:1])
    tuning.search._opener = lambda task, candidate: Twins(candidate, PARAMETERS[:1])
    tuning.run()
    assert {"BLOCK": "128"} not in tuning.asked and {"BLOCK": "64"} in tuning.asked
    assert dict(tuning.search.report().left_out)[KNOWN] == 1


@pytest.mark.parametrize("why", ["nothing passed", "nothing open"])
def test_nothing_to_tune_is_said(why):
    def opener(task, candidate):
        raise CannotOpen("it was written by hand")

    world = synthetic_context(WORLD, GRAPH, budget=Budget(candidates=1))
    search = TunedSearch(
        SEARCHES.load("direct")(world), task=TASK, yardstick=world.yardstick, budget=5, seed=0, opener=opener
    )
    proposal = search.ask()
    assert search.ask() == Wait()
    candidate = replace(PROPOSER, failure=0.0).propose(TASK, proposal)
    status = Status.WRONG_VALUE if why == "nothing passed" else Status.PASSED
    search.tell(proposal, candidate, synthetic_verdict(status))
    assert search.ask() is None and search.ask() is None
    said = search.report().why_not
    assert said == (
        "no program passed"
        if why == "nothing passed"
        else "the best program leaves nothing open: it was written by hand"
    )
    assert (search.best() is None) == (why == "nothing passed")


class TestWithNothingOpen(SearchConformance):
    """Where nothing is open, a tuned search is the search itself."""

    @pytest.fixture
    def make_search(self):
        def opener(task, candidate):
            raise CannotOpen("nothing")

        return lambda world: TunedSearch(
            SEARCHES.load("mcgs")(world), task=TASK, yardstick=world.yardstick, budget=5, seed=0, opener=opener
        )
