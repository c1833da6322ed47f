"""Rules and a model on one budget, over recorded landscapes: a model that adds nothing costs next to nothing."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from study.landscape.replay import TableJudge, TableProposer
from study.landscape.table import RecordedTable
from study.run import context_for

from regrapht.bench.landscape.files import load_landscape
from regrapht.graph.shipped import shipped_graph
from regrapht.records.candidate import Candidate, NoSource, Origin, Writer
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.run import Budget
from regrapht.records.verdict import Status
from regrapht.search.budget import Spending
from regrapht.search.context import Rules
from regrapht.search.greedy_chain import GreedyChain
from regrapht.search.mcgs import GraphSearch
from regrapht.search.two_writers import SHARE, Turns, TwoWriters
from regrapht.source.one_thread import runs_in_one_thread
from regrapht.testing.synthetic import synthetic_verdict

FILES = sorted((Path(__file__).parents[2] / "benchmarks/landscapes").glob("*/*.json.gz"))
NAMES = [f"{file.parent.name} {file.name.partition('.')[0]}" for file in FILES]
QUICK = ["measured image_blur", "measured option_pricing", "modelled inclusive_scan"]
"""Two with late gains of the rules', and one whose plain version runs in one thread."""
EACH = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
BUDGETS = (8, 20)


@cache
def table(name):
    return RecordedTable(load_landscape(FILES[NAMES.index(name)]), shipped_graph())


class Model:
    """Answers every request in one way; `great` gives the landscape's best program at its second answer, and else no program."""

    def __init__(self, table, kind):
        self._table, self._kind, self.asked = table, kind, 0

    def answer(self, proposal):
        self.asked += 1
        kind = self._kind if self._kind != "great" else "no program" if self.asked == 1 else "best"
        parent = proposal.parent.candidate.id if proposal.parent is not None else None
        origin = Origin(proposer="language_model", seconds=0.0, prompt_hash=f"{self.asked}")
        common = {"origin": origin, "parent": parent, "transition": proposal.transition, "techniques": ()}
        if proposal.kind is ProposalKind.CHOOSE:
            chosen = {"no_source": NoSource.SKIPPED, "reason": "none of them", "chosen": ()}
            return Candidate(source=None, program_hash=None, **chosen, **common), synthetic_verdict(Status.SKIPPED)
        if kind == "no program":
            reason = f"no code, for the time {self.asked}"
            candidate = Candidate(
                source=None, program_hash=None, no_source=NoSource.NO_PROGRAM, reason=reason, **common
            )
            return candidate, synthetic_verdict(Status.UNPARSABLE)
        text = f"program {self.asked} of the model's"
        candidate = Candidate(source=text, program_hash=text, **common)
        if kind == "does not build":
            return candidate, synthetic_verdict(Status.BUILD_FAILED)
        best = max(self._table._gains, key=lambda program: self._table.gain(program) or 0.0)
        like = best if kind == "best" else self._table.first(0).program
        known = Candidate(source="known", program_hash=like, origin=origin)
        return candidate, replace(self._table.verdict(known), candidate_id=candidate.id)


@cache
def run(name, budget, kind=None, search=GraphSearch, workers=1):
    """What was judged, in order (by whom, program, gain of the best so far), and the model; no model at all without a kind."""
    place = table(name)
    proposer = TableProposer(place, seed=0, leaps=False)
    judge, model = TableJudge(place, proposer), Model(place, kind)

    def rule_serves(proposal):
        return proposer.propose(place.task, proposal).source is not None

    def rule_applies(candidate, transition):
        known = candidate.program_hash in place._programs
        return (known and proposer.applicable(place.task, candidate, transition)) or None

    context = replace(context_for(place, proposer, budget=budget, seed=0), budget=Budget(candidates=budget))
    if kind is None:
        opened = search(context)
    else:
        rules = Rules(name="transform", applicable=rule_applies, serves=rule_serves, in_one_thread=runs_in_one_thread)
        opened = TwoWriters(replace(context, rules=rules, applicable=None, choice_weight=0.5), search)
    spent, curve = Spending(), []
    out = []
    while True:
        while len(out) < workers and isinstance(asked := opened.ask(), Proposal):
            out.append(asked)
        if not out:
            return curve, model
        proposal = out.pop(0)
        if proposal.asked_of is Writer.MODEL:
            candidate, verdict = model.answer(proposal)
        else:
            candidate = proposer.propose(place.task, proposal)
            verdict = judge.evaluate(place.task, candidate)
        opened.tell(proposal, candidate, verdict)
        if spent.add(candidate, verdict):
            best = opened.best()
            gain = (
                None
                if best is None
                else place.gain(best.candidate.program_hash)
                if best.candidate.program_hash in place._programs
                else place.best_gain
            )
            curve.append((proposal.asked_of, candidate.program_hash, gain))


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("kind", ["no program", "does not build", "no faster"])
@pytest.mark.parametrize("name", EACH)
def test_a_model_that_adds_nothing_takes_its_share_and_the_rules_go_their_own_way(name, kind, budget):
    alone, _ = run(name, budget)
    both, model = run(name, budget, kind)
    rules = [program for who, program, _ in both if who is Writer.RULE]
    assert rules == [program for _, program, _ in alone][: len(rules)]
    of_model = len(both) - len(rules)
    assert of_model <= max(1, SHARE * budget) or rules == [program for _, program, _ in alone], (
        "or rules have come to an end"
    )
    if kind == "no program":
        assert not of_model and len(both) == len(alone) and model.asked < 8 * budget
        assert both[-1][2] == alone[-1][2]
    else:
        assert both[-1][2] >= alone[len(rules) - 1][2]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("no program", 0), ("does not build", 2), ("no faster", 2)])
def test_what_such_a_model_loses_over_all_landscapes(kind, most):
    """With the budget of the experiments; in doublings of speed, and in how many of 24 landscapes."""
    lost = [run(name, 20)[0][-1][2] - run(name, 20, kind)[0][-1][2] for name in NAMES]
    assert sum(loss > 0.015 for loss in lost) <= most and sum(lost) / len(lost) < 0.02


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("name", EACH)
def test_one_great_program_is_taken(name, budget):
    if not table(name).best_gain:
        pytest.skip("nothing is better than the plain version in this landscape")
    both, _ = run(name, budget, "great")
    assert both[-1][2] == table(name).best_gain


@pytest.mark.parametrize("workers", [2, 4])
def test_several_workers_share_out_the_budget_alike(workers):
    both, _ = run("measured image_blur", 20, "does not build", workers=workers)
    assert len(both) == 20 and sum(who is Writer.MODEL for who, _, _ in both) <= SHARE * 20


def test_other_graph_searches_have_two_writers_too():
    both, _ = run("measured image_blur", 20, "great", GreedyChain)
    alone, _ = run("measured image_blur", 20, None, GreedyChain)
    own = [program for who, program, _ in both if who is Writer.RULE]
    assert (
        own == [program for _, program, _ in alone][: len(own)]
        and both[-1][2] == table("measured image_blur").best_gain
    )


@pytest.mark.parametrize(("budget", "asked"), [(4, 8), (20, 20)])
def test_a_model_that_never_gives_a_program_is_not_asked_without_end_where_rules_have_none(budget, asked):
    place = table("measured image_blur")
    context = replace(context_for(place, TableProposer(place, seed=0), budget=budget, seed=0), applicable=None)
    rules = Rules(
        name="transform", applicable=lambda *_: None, serves=lambda _: False, in_one_thread=runs_in_one_thread
    )
    search, model = TwoWriters(replace(context, rules=rules), GraphSearch), Model(place, "no program")
    while isinstance(proposal := search.ask(), Proposal):
        assert proposal.asked_of is Writer.MODEL and proposal.kind is ProposalKind.INITIAL
        search.tell(proposal, *model.answer(proposal))
    assert model.asked == asked and search.ask() is None and search.best() is None


def answers(turns, writer, *values, is_new=True):
    """Tell so many answers, each with its value in doublings or None for a failure."""
    for value in values:
        turns.saw(writer, value, is_new=is_new)


RULES, MODEL = Writer.RULE, Writer.MODEL
TURNS = {
    "rules have the first program": ([], False),
    "rules gain": ([(RULES, 0.0, 0.5, 1.0)], False),
    "the first half is theirs": ([(RULES, *[0.0] * 10)], False),
    "half of the budget is spent": ([(RULES, *[x / 10 for x in range(11)])], True),
    "the model had its share": ([(RULES, *[0.0] * 11), (MODEL, None)], False),
    "it has more of it later": ([(RULES, *[0.0] * 14), (MODEL, None)], True),
    "and no more than that": ([(RULES, *[0.0] * 17), (MODEL, None, None)], False),
    "what gains goes on": ([(RULES, *[0.0] * 11), (MODEL, 1.0, None, None)], True),
    "for a while": ([(RULES, *[0.0] * 11), (MODEL, 1.0, None, None, None, None)], False),
    "one percent is no gain": ([(RULES, *[0.0] * 11), (MODEL, 0.01)], False),
}


@pytest.mark.parametrize("kind", TURNS)
def test_when_the_model_is_next(kind):
    turns = Turns(20)
    for writer, *values in TURNS[kind][0]:
        answers(turns, writer, *values)
    assert turns.model_is_due(0) is TURNS[kind][1]


@pytest.mark.parametrize(
    ("values", "due"),
    [([0.0, 0.5, 0.4, 0.5, None], True), ([0.0, 0.5, 0.4, 1.0], False), ([0.0, 0.01, 0.005, 0.01], True)],
)
def test_without_a_limit_of_candidates_the_model_waits_until_rules_gain_no_more(values, due):
    turns = Turns(None)
    answers(turns, RULES, *values)
    assert turns.model_is_due(0) is due
    answers(turns, MODEL, None)
    assert not turns.model_is_due(0)


def test_what_is_not_judged_counts_less_and_what_is_out_counts():
    turns = Turns(20)
    answers(turns, RULES, *[0.0] * 14)
    assert turns.model_is_due(0) and not turns.model_is_due(1)
    answers(turns, MODEL, None, is_new=False)
    assert turns.model_is_due(0)
    answers(turns, MODEL, *[None] * 7, is_new=False)
    assert not turns.model_is_due(0)


def test_a_program_of_one_thread_is_no_result_and_the_model_has_most_of_the_budget():
    turns = Turns(20)
    turns.saw(RULES, 0.0, is_new=True, serial=True)
    assert not turns.model_is_due(0), "rules that give threads go first"
    answers(turns, RULES, None, None, None)
    answers(turns, MODEL, *[None] * 8)
    assert turns.model_is_due(0)
