"""Who serves what: the real engine and scripted models, without a judge."""

from dataclasses import replace

import pytest

from regrapht.assemble import open_proposer, open_task
from regrapht.errors import ConfigError, ModelRefused
from regrapht.graph.shipped import shipped_graph
from regrapht.llm.hearing import Speed
from regrapht.llm.scripted import ScriptedModel
from regrapht.propose.hybrid import HybridProposer
from regrapht.propose.language_model import LanguageModelSettings
from regrapht.records.candidate import Candidate, NoSource, Origin, Writer
from regrapht.records.encoding import from_json, to_json
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import RunOptions
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status
from regrapht.source.program_hash import program_hash
from regrapht.testing.synthetic import synthetic_task, synthetic_verdict

TASK = synthetic_task()
CODE = """#include <cuda_runtime.h>
__global__ void k(long long n, const float* x, float* y) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
extern "C" void scale(long long n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }
"""
REPLY = f"```cuda\n{CODE}```\n"
INITIAL = Proposal(id=1, kind=ProposalKind.INITIAL)


def hybrid(*replies, **settings):
    """With as many replies as it may need: one request more is refused."""
    model = ScriptedModel(tuple(replies))
    return HybridProposer(model, graph=shipped_graph(), settings=LanguageModelSettings(**settings)), model


def judged(candidate, status=Status.PASSED, **more):
    return Judged(proposal_id=1, candidate=candidate, verdict=replace(synthetic_verdict(status), **more))


def models(source=CODE):
    origin = Origin(proposer="language_model", seconds=0.0, prompt_hash="p", completion=REPLY)
    return Candidate(source=source, program_hash=program_hash(source), origin=origin, techniques=("map_to_threads",))


def apply_to(parent, slug, attempt=0):
    return Proposal(
        id=2, kind=ProposalKind.APPLY, parent=parent, transition=Transition("map_to_threads", slug), attempt=attempt
    )


def test_the_first_program_is_the_engines_and_costs_no_request():
    proposer, _ = hybrid()
    first = proposer.propose(TASK, INITIAL)
    assert first.writer is Writer.ENGINE and first.origin.usage is None and first.origin.proposer == "transform"
    with pytest.raises(ModelRefused):  # the next sample of a first program is the model's
        proposer.propose(TASK, Proposal(id=2, kind=ProposalKind.INITIAL, attempt=1))


def test_a_function_that_the_engine_cannot_take_is_the_models_from_the_beginning(tmp_path):
    file = tmp_path / "odd.cpp"
    file.write_text(
        "void odd(int n, const float* x, float* y) {\n"
        "  for (int i = 0; i < n; ++i) { if (x[i] > 1e30f) goto out; y[i] = x[i]; }\nout:;\n}\n"
    )
    task = open_task(file).task
    proposer, _ = hybrid(REPLY.replace("scale", "odd").replace("long long n", "int n"))
    first = proposer.propose(task, INITIAL)
    assert first.writer is Writer.MODEL and first.source is not None


def test_a_rule_serves_a_technique_at_the_engines_program_where_it_applies():
    proposer, _ = hybrid()
    first = judged(proposer.propose(TASK, INITIAL))
    ruled = proposer.propose(TASK, apply_to(first, "vectorised_access"))
    assert ruled.writer is Writer.RULE and ruled.techniques == ("map_to_threads", "vectorised_access")
    assert proposer.applicable(TASK, first.candidate, Transition("map_to_threads", "vectorised_access")) is True


@pytest.mark.parametrize("slug", ["sort_by_locality", "shared_memory_tiling"])
def test_where_no_rule_applies_the_model_is_asked(slug):
    """For one the engine has no rule, the other has nothing to work on here."""
    proposer, _ = hybrid(REPLY)
    first = judged(proposer.propose(TASK, INITIAL))
    made = proposer.propose(TASK, apply_to(first, slug))
    assert made.writer is Writer.MODEL and made.techniques == ("map_to_threads", slug)
    assert proposer.applicable(TASK, first.candidate, Transition("map_to_threads", slug)) is None


def test_the_model_takes_over_when_a_rules_settings_are_used_up():
    proposer, _ = hybrid(REPLY)
    first = judged(proposer.propose(TASK, INITIAL))
    writers = [proposer.propose(TASK, apply_to(first, "vectorised_access", attempt)).writer for attempt in range(2)]
    attempt = 2
    while writers[-1] is Writer.RULE:
        writers.append(proposer.propose(TASK, apply_to(first, "vectorised_access", attempt)).writer)
        attempt += 1
    assert writers[-1] is Writer.MODEL and set(writers[:-1]) == {Writer.RULE}


SLUGS = {"vectorised_access": True, "shared_memory_tiling": False, "sort_by_locality": None}
"""What rules say of the engine's first program: one applies, one has nothing to work on, and there is none."""


def test_a_search_that_has_two_writers_says_which_of_them_is_asked():
    proposer, _ = hybrid(REPLY)
    by_rules = proposer.propose(TASK, replace(INITIAL, asked_of=Writer.RULE, attempt=1))
    assert by_rules.writer is Writer.ENGINE and by_rules.origin.usage is None, "the engine's second setting"
    assert proposer.propose(TASK, replace(INITIAL, asked_of=Writer.MODEL)).writer is Writer.MODEL
    first = judged(proposer.propose(TASK, INITIAL))
    asked = apply_to(first, "vectorised_access")
    assert proposer.rule_serves(TASK, asked) and proposer._made
    made = [proposer.propose(TASK, replace(asked, asked_of=Writer.RULE)).program_hash for _ in range(2)]
    assert made[0] == made[1] and not proposer._made, "what was looked up is not made twice, and not kept"
    assert not proposer.rule_serves(TASK, apply_to(first, "vectorised_access", attempt=99)), "its settings are used up"
    assert not proposer.rule_serves(TASK, apply_to(first, "sort_by_locality")), "there is no such rule"
    told = {slug: proposer.rule_applies(TASK, first.candidate, Transition("map_to_threads", slug)) for slug in SLUGS}
    assert told == SLUGS
    assert proposer.rule_applies(TASK, models(), Transition("map_to_threads", "vectorised_access")) is None


def test_a_reply_without_a_program_is_nothing_to_judge_beside_the_engine():
    proposer, _ = hybrid("I am sorry.", "I am sorry.")
    first = judged(proposer.propose(TASK, INITIAL))
    empty = proposer.propose(TASK, apply_to(first, "sort_by_locality"))
    assert empty.no_source is NoSource.NO_PROGRAM and empty.writer is Writer.MODEL and empty.origin.usage is not None


def test_a_models_program_is_changed_by_the_model():
    proposer, _ = hybrid(REPLY.replace("128", "256"))
    made = proposer.propose(TASK, apply_to(judged(models()), "vectorised_access"))
    assert made.writer is Writer.MODEL
    assert proposer.applicable(TASK, models(), Transition("map_to_threads", "vectorised_access")) is None
    assert proposer.applicable(TASK, models(), Transition("map_to_threads", "map_2d")) is False


def test_a_technique_that_a_program_has_is_not_asked_of_the_model_again():
    proposer, _ = hybrid()
    twice = replace(models(), techniques=("map_to_threads", "vectorised_access"))
    assert proposer.applicable(TASK, twice, Transition("vectorised_access", "vectorised_access")) is False
    assert proposer.applicable(TASK, twice, Transition("vectorised_access", "thread_coarsening")) is None


BROKEN = judged(
    models(CODE.replace("x[i];", "x[i]")),
    Status.BUILD_FAILED,
    feedback="candidate.cu:5:1: error: expected ';' before '}' token",
)


def test_what_the_judge_said_outright_is_done_before_a_request_is_spent():
    proposer, _ = hybrid(REPLY)
    mended = proposer.propose(TASK, Proposal(id=2, kind=ProposalKind.REPAIR, parent=BROKEN))
    assert mended.writer is Writer.HINT and program_hash(mended.source or "") == program_hash(CODE)
    assert mended.parent == BROKEN.candidate.id and mended.origin.usage is None
    again = proposer.propose(TASK, Proposal(id=3, kind=ProposalKind.REPAIR, parent=BROKEN, attempt=1))
    assert again.writer is Writer.MODEL, "once is enough"


def test_a_failure_without_an_outright_hint_is_the_models_to_mend():
    proposer, _ = hybrid(REPLY)
    broken = judged(models(CODE.replace("2 *", "3 *")), Status.WRONG_VALUE)
    mended = proposer.propose(TASK, Proposal(id=2, kind=ProposalKind.REPAIR, parent=broken))
    assert mended.writer is Writer.MODEL and mended.source == CODE


def test_the_engines_own_failure_is_repaired_by_other_settings_and_then_by_the_model():
    proposer, _ = hybrid(REPLY)
    first = judged(proposer.propose(TASK, INITIAL), Status.WRONG_VALUE)
    writers = []
    for attempt in range(30):
        writers.append(
            proposer.propose(TASK, Proposal(id=2, kind=ProposalKind.REPAIR, parent=first, attempt=attempt)).writer
        )
        if writers[-1] is Writer.MODEL:
            break
    assert writers[-1] is Writer.MODEL and Writer.RULE in writers


def test_a_choice_is_a_short_request_that_is_counted_and_kept():
    proposer, _ = hybrid("Vectorised access, loop-unrolling")
    first = judged(proposer.propose(TASK, INITIAL))
    choices = ("loop_unrolling", "vectorised_access", "fast_math_intrinsics")
    asked = Proposal(id=2, kind=ProposalKind.CHOOSE, parent=first, choices=choices)
    choice = proposer.propose(TASK, asked)
    assert choice.chosen == ("vectorised_access", "loop_unrolling")
    assert (choice.no_source, choice.writer, choice.source) == (NoSource.SKIPPED, Writer.MODEL, None)
    assert choice.origin.usage is not None and choice.origin.requests[0]["max_tokens"] == 200
    assert choice.origin.completion == "Vectorised access, loop-unrolling"
    assert from_json(Candidate, to_json(choice)) == choice


@pytest.mark.parametrize("before", [None, 1.0, 12.0, 400.0])
@pytest.mark.parametrize("reads", [None, 1.0, 12.0, 400.0])
def test_a_model_that_keeps_what_it_reads_is_asked_for_a_technique_as_for_the_choice(before, reads):
    """Task, program and what the judge said are read once for both requests, however slowly."""
    proposer, model = hybrid("loop_unrolling", REPLY)
    model.keeps_what_it_reads, model.speed = True, Speed(before, None) if before is not None else None
    parent = judged(models(), feedback="Correct. Line 4: 2 x.")
    choice = Proposal(id=2, kind=ProposalKind.CHOOSE, parent=parent, choices=("loop_unrolling", "vectorised_access"))
    asked = proposer.propose(TASK, choice).origin.prompt or ""
    model.speed = Speed(reads, None) if reads is not None else None
    applied = proposer.propose(TASK, apply_to(parent, "loop_unrolling")).origin.prompt or ""
    before, _, after = asked.partition("# Techniques")
    assert applied.startswith(before.rstrip())
    assert all(part in before for part in (TASK.signature, CODE.strip(), "Line 4: 2 x."))
    assert "`vectorised_access`" in after and "# Technique to apply" not in asked


@pytest.mark.parametrize("settings", [{}, {"shorten_prompts": False}])
def test_others_are_asked_for_a_choice_in_short_and_so_are_all_in_experiments(settings):
    proposer, model = hybrid("loop_unrolling", **settings)
    model.keeps_what_it_reads = bool(settings)
    choice = Proposal(id=2, kind=ProposalKind.CHOOSE, parent=judged(models()), choices=("loop_unrolling",))
    assert "# Task" not in (proposer.propose(TASK, choice).origin.prompt or "# Task")


def test_a_program_too_long_for_the_context_is_not_asked_about():
    proposer, _ = hybrid(context_tokens=2000, max_tokens=1000)
    long = judged(models(CODE + "// a comment\n" * 2000))
    asked = Proposal(id=2, kind=ProposalKind.CHOOSE, parent=long, choices=("loop_unrolling", "map_2d"))
    choice = proposer.propose(TASK, asked)
    assert choice.chosen == () and choice.origin.usage is None and "too long" in (choice.reason or "")


def test_rules_apply_where_the_model_cannot_hold_the_program_and_nothing_else_does():
    proposer, _ = hybrid(context_tokens=1100, max_tokens=1000)
    first = proposer.propose(TASK, INITIAL)
    for slug, expected in (("vectorised_access", True), ("fast_math_intrinsics", False)):
        assert proposer.applicable(TASK, first, Transition("map_to_threads", slug)) is expected


@pytest.mark.parametrize(
    ("kind", "technique", "by_engine", "by_model"),
    [
        (ProposalKind.APPLY, "vectorised_access", True, False),
        (ProposalKind.APPLY, "fast_math_intrinsics", False, False),
        (ProposalKind.REPAIR, None, True, False),
        (ProposalKind.IMPROVE, None, False, False),
        (ProposalKind.CHOOSE, None, False, False),
    ],
)
def test_what_is_served_about_a_program_that_the_model_cannot_hold(kind, technique, by_engine, by_model):
    proposer, _ = hybrid(context_tokens=1100, max_tokens=1000)
    transition = Transition("map_to_threads", technique) if technique else None
    choices = ("loop_unrolling", "map_2d") if kind is ProposalKind.CHOOSE else ()
    first = judged(proposer.propose(TASK, INITIAL))
    for parent, serves in ((first, by_engine), (judged(models(CODE)), by_model)):
        asked = Proposal(id=2, kind=kind, parent=parent, transition=transition, choices=choices)
        assert proposer.serves(TASK, asked) is serves
        assert hybrid()[0].serves(TASK, asked), "without a limit all are"
    assert proposer.serves(TASK, INITIAL)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "transform"),
        ({"model": "scripted:FILE"}, "hybrid"),
        ({"model": "scripted:FILE", "proposer": "hybrid"}, "hybrid"),
        ({"model": "scripted:FILE", "proposer": "language_model"}, "language_model"),
    ],
)
def test_which_proposer_a_run_has(tmp_path, options, name):
    (tmp_path / "replies.txt").write_text(REPLY)
    given = {key: value.replace("FILE", str(tmp_path / "replies.txt")) for key, value in options.items()}
    assert open_proposer(RunOptions(**given), graph=shipped_graph()).name == name


def test_a_reply_has_half_of_a_chosen_context_that_holds_no_usual_one(tmp_path):
    (tmp_path / "replies.txt").write_text(REPLY)
    options = RunOptions(model=f"scripted:{tmp_path / 'replies.txt'}", proposer="language_model", context_tokens=4096)
    written = open_proposer(options, graph=shipped_graph()).propose(TASK, INITIAL)
    assert written.origin.requests[0]["max_tokens"] == 2048
    with pytest.raises(ConfigError, match="--max-tokens"):
        open_proposer(replace(options, max_tokens=4096), graph=shipped_graph())
