from dataclasses import replace

import pytest

from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.run import Budget
from regrapht.records.technique import INIT, Area, Outcome, Technique, Transition
from regrapht.search.actions import UNKNOWN_MATCH, applicable_transitions
from regrapht.search.context import SearchContext
from regrapht.search.evidence import USUAL_GAIN, USUAL_SUCCESS, GraphEvidence
from regrapht.search.prior import PriorSettings, TechniquePrior

SLUGS = ("map", "tile", "unroll", "rare")


def path(task, *slugs, family="stencil", speedups=None):
    return TechniquePath(task_id=task, family=family, source="hand", slugs=slugs, speedups=speedups)


def graph(*paths, outcomes=()):
    return TechniqueGraph(
        techniques={
            slug: Technique(slug=slug, title=slug, area=Area.MEMORY, meaning="m", condition="c") for slug in SLUGS
        },
        edges={edge: () for known in paths for edge in known.transitions},
        all_outcomes=outcomes,
        paths=paths,
    )


def context(known, *, applicable=None, hide_family=False, task_id="mine", family="stencil"):
    return SearchContext(
        task_id=task_id,
        family=family,
        graph=known,
        yardstick=Yardstick(scale=Scale.MODELLED, start=2.0, floor=1.0, start_name="plain"),
        budget=Budget(candidates=1),
        seed=0,
        proposer="transform",
        device="sm_90",
        applicable=applicable,
        hide_family=hide_family,
    )


def candidate(*techniques):
    return Candidate(source="s", program_hash="h", origin=Origin(proposer="t", seconds=0.0), techniques=techniques)


def shares(given, *techniques, **dials):
    program = candidate(*techniques)
    prior = TechniquePrior(given, PriorSettings(**dials))
    return {t.target: share for t, share in prior.shares(program, applicable_transitions(given, program)).items()}


def test_an_empty_graph_gives_equal_shares():
    assert shares(context(graph())) == dict.fromkeys(sorted(SLUGS), pytest.approx(0.25))


def test_shares_sum_to_one_and_keep_the_uniform_share():
    found = shares(context(graph(path("a", "map", "tile"), path("b", "map", "unroll"))), uniform_share=0.2)
    assert sum(found.values()) == pytest.approx(1)
    assert found["rare"] == pytest.approx(0.2 / 4)
    assert next(iter(found)) == "map", "the likeliest comes first"


def test_the_set_applied_decides_and_not_its_order_or_the_last_technique_alone():
    paths = [path("a", "map", "tile", "unroll"), path("b", "tile", "map", "unroll"), path("c", "map", "rare")]
    given = context(graph(*paths))
    one, other = shares(given, "map", "tile"), shares(given, "tile", "map")
    assert one == other
    assert max(one, key=one.get) == "unroll"
    assert shares(given, "map")["rare"] > one["rare"]


def test_the_tasks_own_family_counts_first():
    known = graph(*(path(f"o{i}", "tile", family="reduction") for i in range(5)), path("s", "map", family="stencil"))
    assert shares(context(known, family="stencil"))["map"] > shares(context(known, family="reduction"))["map"]
    assert shares(context(known, family=None))["tile"] > shares(context(known, family=None))["map"]


def test_what_is_evaluated_is_never_seen():
    known = graph(path("mine", "rare", speedups=(64.0,)), path("sibling", "tile"), path("far", "map", family="scan"))
    assert shares(context(known))["rare"] == min(shares(context(known)).values())
    assert shares(context(known, task_id="another"))["rare"] > 0.2
    hidden = shares(context(known, hide_family=True))
    assert hidden["map"] > 0.8 and hidden["tile"] == hidden["rare"]


def test_gain_and_frequency_both_count():
    often = [path(f"o{i}", "tile", speedups=(1.1,)) for i in range(3)]
    known = graph(*often, path("g", "unroll", speedups=(8.0,)), path("n", "rare", speedups=(0.5,)))
    found = shares(context(known))
    assert found["unroll"] > found["rare"], "as frequent, and faster"
    assert found["tile"] > found["rare"]
    assert found["unroll"] > found["map"], "never chosen"


def test_the_engines_own_choices_are_no_experts():
    """Its paths tell what became of techniques, and nothing of which one to take next."""
    walked = [replace(path(f"w{i}", "map", "rare"), source="transform") for i in range(9)]
    given = context(graph(path("a", "map", "tile"), *walked))
    assert shares(given, "map")["tile"] > 2 * shares(given, "map")["rare"]


def test_a_repeated_technique_is_less_likely():
    given = context(graph(path("a", "map", "map"), path("b", "map", "tile")))
    assert shares(given, "map", repeat_factor=0.25)["map"] < shares(given, "map", repeat_factor=1.0)["map"]


def test_success_is_the_proposers_own_backed_off_to_all():
    def outcome(slug, proposer, attempts, correct):
        edge = Transition(INIT, slug)
        return Outcome(
            transition=edge, device="x", proposer=proposer, attempts=attempts, built=correct, correct=correct
        )

    known = graph(
        outcomes=(outcome("map", "transform", 20, 20), outcome("map", "model", 20, 0), outcome("tile", "model", 20, 0))
    )
    expected = GraphEvidence(context(known)).expectations(frozenset())
    assert expected["map"].success > 0.9
    assert 0 < expected["tile"].success < 0.15
    assert expected["rare"].success == pytest.approx(USUAL_SUCCESS)


def test_measured_outcomes_give_gains_and_this_device_counts_more():
    def outcome(slug, device):
        return Outcome(
            transition=Transition(INIT, slug),
            device=device,
            proposer="transform",
            attempts=9,
            built=9,
            correct=9,
            gain_count=9,
            gain_mean=2.0 if slug == "map" else -2.0,
        )

    here = GraphEvidence(context(graph(outcomes=(outcome("map", "sm_90"), outcome("tile", "sm_90"))))).expectations(
        frozenset()
    )
    there = GraphEvidence(context(graph(outcomes=(outcome("map", "sm_70"), outcome("tile", "sm_90"))))).expectations(
        frozenset()
    )
    assert here["map"].gain > there["map"].gain > there["tile"].gain
    nothing = GraphEvidence(context(graph(path("a", "map")))).expectations(frozenset())
    assert nothing["map"].gain == USUAL_GAIN, "no gain is known anywhere"


def test_what_does_not_apply_is_not_offered_and_what_surely_does_is_likelier():
    answers = {"map": False, "tile": True, "unroll": None, "rare": None}
    given = context(graph(), applicable=lambda program, transition: answers[transition.target])
    assert applicable_transitions(given, candidate()) == {
        Transition(INIT, "rare"): UNKNOWN_MATCH,
        Transition(INIT, "tile"): 1.0,
        Transition(INIT, "unroll"): UNKNOWN_MATCH,
    }
    assert applicable_transitions(context(graph()), candidate("unheard-of")).keys() == {
        Transition(INIT, s) for s in SLUGS
    }
    assert applicable_transitions(context(graph()), candidate("tile", "x")).keys() == {
        Transition("tile", s) for s in SLUGS
    }
    assert shares(context(graph(path("a", "tile"), path("b", "unroll")), applicable=given.applicable))["tile"] > 0.5


def test_nothing_applies():
    assert shares(context(graph(), applicable=lambda program, transition: False)) == {}
