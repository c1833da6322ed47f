"""A model's choice among techniques: once a program, blended with the prior, replayed from its record."""

from dataclasses import replace

import pytest

from regrapht.records.candidate import Candidate, NoSource, Origin, TokenUsage, Writer
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Asked, Budget
from regrapht.records.verdict import Status
from regrapht.search import SEARCHES
from regrapht.search.budget import spent_by
from regrapht.search.choice import LISTED
from regrapht.search.journalled import JournalledSearch
from regrapht.testing.search_conformance import GRAPH, TASK, WORLD, SearchConformance, context, drive, usual_answers
from regrapht.testing.synthetic import SyntheticProposer, synthetic_verdict

ORIGIN = Origin(
    proposer="language_model", seconds=0.0, prompt_hash="p", usage=TokenUsage(prompt_tokens=90, completion_tokens=10)
)


def choosing(weight=0.5, **budget):
    return replace(context(Budget(**(budget or {"candidates": 12}))), choice_weight=weight)


def answer(chosen) -> Candidate:
    return Candidate(
        source=None,
        program_hash=None,
        origin=ORIGIN,
        no_source=NoSource.SKIPPED,
        reason="a choice",
        chosen=tuple(chosen),
    )


def serving(chosen_of, inner=None):
    """Answers choices with what `chosen_of` says of a proposal, all else as `inner` does."""
    inner = inner or SyntheticProposer(world=WORLD, failure=0.0)
    propose = inner if callable(inner) else lambda proposal: inner.propose(TASK, proposal)
    return lambda proposal: answer(chosen_of(proposal)) if proposal.kind is ProposalKind.CHOOSE else propose(proposal)


def asked(events, kind=None) -> list[Proposal]:
    return [e.proposal for e in events if isinstance(e, Asked) and kind in (None, e.proposal.kind)]


@pytest.mark.parametrize("name", ["mcgs", "greedy-chain"])
def test_a_program_is_asked_about_once_before_anything_is_asked_at_it(name):
    events = drive(SEARCHES.load(name)(choosing()), serving(lambda proposal: proposal.choices[2:4]))
    seen = set()
    for proposal in asked(events):
        at = proposal.parent and proposal.parent.candidate.id
        if proposal.kind is ProposalKind.CHOOSE:
            assert at not in seen and 2 <= len(proposal.choices) <= LISTED
            seen.add(at)
        elif proposal.kind is ProposalKind.APPLY:
            assert at in seen
    assert seen
    spent = spent_by(events)
    assert spent.candidates == 12 and spent.tokens == 100 * len(seen), "tokens are charged, candidates are not"


@pytest.mark.parametrize("name", [name for name in SEARCHES.builtin if name not in ("mcgs", "greedy-chain")])
def test_methods_without_the_graphs_prior_do_not_ask(name):
    events = drive(SEARCHES.load(name)(choosing()), serving(lambda proposal: proposal.choices))
    has_prior = name in ("shuffled-graph", "method-only", "no-hardware", "no-repair")
    assert bool(asked(events, ProposalKind.CHOOSE)) == has_prior


def first_technique(weight, chosen_of) -> str:
    events = drive(SEARCHES.load("mcgs")(choosing(weight)), serving(chosen_of))
    return asked(events, ProposalKind.APPLY)[0].transition.target


def test_the_choice_moves_the_prior_as_far_as_its_weight_says():
    without = first_technique(0.0, lambda proposal: ())
    assert first_technique(0.5, lambda proposal: ()) == without, "an answer without names changes nothing"
    assert first_technique(0.5, lambda proposal: ("no such technique",)) == without
    other = first_technique(1.0, lambda proposal: [slug for slug in proposal.choices if slug != without][-1:])
    assert other != without
    assert first_technique(1e-6, lambda proposal: (other,)) == without


def test_shares_still_sum_to_one_and_halve_from_name_to_name():
    search = SEARCHES.load("mcgs")(choosing(1.0))
    proposal = search.ask()
    plain = SyntheticProposer(world=WORLD, failure=0.0).propose(TASK, proposal)
    search.tell(proposal, plain, synthetic_verdict(Status.PASSED))
    choice = search.ask()
    named = choice.choices[:3]
    search.tell(choice, answer([*named, "unknown", named[0]]), synthetic_verdict(Status.SKIPPED))
    (node,) = search._programs.values()
    shares = {t.target: share for t, share in zip(node.offer.transitions, node.offer.shares, strict=True) if share >= 0}
    shares |= {edge.transition.target: edge.prior for edge in node.edges}
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    assert [shares[slug] for slug in named] == pytest.approx([4 / 7, 2 / 7, 1 / 7], abs=1e-5)


def test_what_does_not_apply_is_not_listed():
    barred = set(list(GRAPH.techniques)[:5])
    given = replace(choosing(), applicable=lambda candidate, transition: transition.target not in barred)
    events = drive(SEARCHES.load("mcgs")(given), serving(lambda proposal: ()))
    assert all(not barred & set(proposal.choices) for proposal in asked(events, ProposalKind.CHOOSE))


def test_a_choice_is_replayed_from_its_record():
    events = drive(SEARCHES.load("mcgs")(choosing()), serving(lambda proposal: proposal.choices[::-1]))
    again = JournalledSearch(SEARCHES.load("mcgs")(choosing()))
    assert again.replay(events) == [] and again.ask() is None


class TestConformance(SearchConformance):
    """All promises hold with choices between the candidates."""

    @pytest.fixture(params=["mcgs", "greedy-chain"])
    def make_search(self, request):
        return lambda given: SEARCHES.load(request.param)(replace(given, choice_weight=0.5))

    def test_it_finds_a_correct_program(self, make_search):
        search = make_search(context(Budget(candidates=12)))
        drive(search, serving(lambda proposal: proposal.choices[:1]))
        assert search.best() is not None

    def test_abandoned_proposals_cost_nothing(self, make_search):
        search, steady = (make_search(context(Budget(candidates=6))) for _ in range(2))
        plain = serving(lambda proposal: proposal.choices[:1])
        for found in (search, steady):
            first = found.ask()
            found.tell(first, plain(first), synthetic_verdict(Status.PASSED))
        for _ in range(5):
            proposal = search.ask()
            assert proposal.kind is ProposalKind.CHOOSE
            search.abandon(proposal)
        assert search.ask().choices == steady.ask().choices


def refusing(slug, inner):
    """A model that says of one technique that it never applies."""

    def serve(proposal):
        if proposal.kind is ProposalKind.APPLY and proposal.transition.target == slug:
            refusal = answer(())
            return replace(refusal, chosen=None, reason="NOT APPLICABLE", transition=proposal.transition)
        return inner(proposal)

    return serve


@pytest.mark.parametrize("name", ["mcgs", "greedy-chain"])
@pytest.mark.parametrize("workers", [1, 4])
def test_a_refusal_is_carried_to_the_programs_below(name, workers):
    inner = usual_answers(2)
    free = drive(SEARCHES.load(name)(context(Budget(candidates=60))), inner, workers=workers)
    often = [proposal.transition.target for proposal in asked(free, ProposalKind.APPLY)]
    slug = max(set(often), key=often.count)
    events = drive(SEARCHES.load(name)(context(Budget(candidates=60))), refusing(slug, inner), workers=workers)
    parent_of = {e.candidate.id: e.candidate.parent for e in events if isinstance(e, Judged)}
    refused_at, open_asks, tries = set(), {}, 0
    for event in events:
        if isinstance(event, Asked) and event.proposal.transition and event.proposal.transition.target == slug:
            way, above = event.proposal.parent.candidate.id, set()
            while way is not None and way not in above:
                above.add(way)
                way = parent_of.get(way)
            assert not above & refused_at, "it was refused on the way to this program"
            tries += 1
            open_asks[event.proposal.id] = event.proposal.parent.candidate.id
        elif isinstance(event, Judged) and event.proposal_id in open_asks:
            refused_at.add(open_asks[event.proposal_id])
    assert tries and tries < often.count(slug)


def test_less_is_hoped_of_what_was_refused():
    inner = usual_answers(2)
    often = [
        one.transition.target
        for one in asked(drive(SEARCHES.load("mcgs")(context(Budget(candidates=60))), inner), ProposalKind.APPLY)
    ]
    slug = max(set(often), key=often.count)
    search = SEARCHES.load("mcgs")(context(Budget(candidates=60)))
    drive(search, refusing(slug, inner))
    assert 0 < search._correction.factor(slug) <= 0.75
    assert search._correction.factor("a technique of tomorrow") == 1.0


def test_a_refusal_is_not_carried_where_rules_know_better():
    inner, asked_for = usual_answers(2), []
    given = replace(context(Budget(candidates=40)), applicable=lambda candidate, transition: True)
    slug = asked(drive(SEARCHES.load("mcgs")(given), inner), ProposalKind.APPLY)[0].transition.target
    for proposal in asked(drive(SEARCHES.load("mcgs")(given), refusing(slug, inner)), ProposalKind.APPLY):
        asked_for.append(proposal.transition.target)
    assert asked_for.count(slug) > 1


def test_who_wrote_a_choice():
    assert answer(()).writer is Writer.MODEL
