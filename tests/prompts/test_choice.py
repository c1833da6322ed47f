"""The request that asks a model to choose, and answers in the spellings that models have."""

from dataclasses import replace

import pytest

from regrapht.graph.vocabulary import load_vocabulary
from regrapht.prompts.choice import read_choice, render_choice
from regrapht.prompts.render import estimate_tokens
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Status
from regrapht.testing.synthetic import synthetic_verdict

TECHNIQUES = load_vocabulary().techniques
LISTED = (
    "warp_per_row",
    "memory_coalescing",
    "shared_memory_tiling",
    "register_tiling",
    "vectorised_access",
    "loop_unrolling",
    "thread_coarsening",
    "restrict_read_only",
)
A, B, C = "warp_per_row", "memory_coalescing", "vectorised_access"


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("warp_per_row, memory_coalescing, vectorised_access", (A, B, C)),
        ("`memory_coalescing`, `warp_per_row`", (B, A)),
        ("Memory Coalescing > Warp-per-row", (B, A)),
        ("**memory coalescing** -> **Vectorised access**", (B, C)),
        ("1. memory_coalescing\n2. warp_per_row\n3. vectorised_access", (B, A, C)),
        ("- memory_coalescing: rows are read with a stride\n- warp_per_row", (B, A)),
        ('["memory_coalescing", "warp_per_row"]', (B, A)),
        ("```\nmemory_coalescing, warp_per_row\n```", (B, A)),
        ("<think>shared_memory_tiling? No reuse.</think>\nmemory_coalescing", (B,)),
        ("2, 1, 5", (B, A, C)),
        ("Techniques 2 and 1.", (B, A)),
        ("[2] [1]", (B, A)),
        ("memory_coalescing, memory_coalescing, warp_per_row", (B, A)),
        ("memory_coalescing. shared_memory_tiling does not fit. warp_per_row is not needed", (B,)),
        ("register tiling", ("register_tiling",)),
        ("The best is memory_coalescing and then warp_per_row", (B, A)),
        ("MEMORY_COALESCING", (B,)),
        ("NONE", ()),
        ("None of these techniques, such as warp_per_row, fit", ()),
        ("It doesn\u2019t need memory_coalescing", ()),
        ("9, 0, 42", ()),
        ("time_tiling, block_scan", ()),
        ("Ich kann das nicht beantworten.", ()),
        ("", ()),
        ("\x00" * 50, ()),
    ],
)
def test_answers_in_odd_spellings(reply, chosen):
    assert read_choice(reply, LISTED, TECHNIQUES) == chosen


def test_names_of_a_graph_without_meanings():
    assert read_choice("technique 2 first: tiling-b, tiling-a", ("tiling_a", "tiling_b"), {}) == (
        "tiling_b",
        "tiling_a",
    )


def proposal(source="__global__ void k() {}", feedback="Correct. Line 1: 4 x."):
    candidate = Candidate(source=source, program_hash="h", origin=Origin(proposer="t", seconds=0.0))
    verdict = replace(synthetic_verdict(Status.PASSED), feedback=feedback)
    parent = Judged(proposal_id=1, candidate=candidate, verdict=verdict)
    return Proposal(id=2, kind=ProposalKind.CHOOSE, parent=parent, choices=LISTED)


def test_the_request_is_short_and_has_what_is_to_be_chosen_from():
    prompt = render_choice(proposal(), TECHNIQUES)
    text = prompt.messages[-1].text
    assert all(f"`{slug}`: {TECHNIQUES[slug].condition[:20]}" in text for slug in LISTED)
    assert "__global__ void k() {}" in text and "Line 1: 4 x" in text
    assert estimate_tokens(prompt) < 900


def test_what_the_judge_said_goes_first_where_the_room_is_short():
    whole = estimate_tokens(render_choice(proposal(feedback="x" * 700), TECHNIQUES))
    cut = render_choice(proposal(feedback="x" * 700), TECHNIQUES, room_tokens=whole - 1)
    assert cut.dropped == ("feedback",) and "xxxx" not in cut.messages[-1].text
    assert render_choice(proposal(source="int x;" * 1000), TECHNIQUES, room_tokens=900) is None
