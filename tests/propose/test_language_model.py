"""A model's replies to candidates, with the real client against a real server, and without any."""

import math
import re
from dataclasses import replace

import pytest

from regrapht.errors import ConfigError, ModelRefused, ModelUnavailable, PromptTooLong
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.llm import begun
from regrapht.llm.client import ModelOptions
from regrapht.llm.endpoint import parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits
from regrapht.llm.openai_compatible import OpenAICompatibleModel
from regrapht.llm.prices import Prices
from regrapht.llm.recorded import RecordingModel, open_recording
from regrapht.llm.retry import Clock
from regrapht.llm.scripted import ScriptedModel
from regrapht.prompts.render import RenderSettings, estimate_tokens
from regrapht.propose import PROPOSERS
from regrapht.propose.language_model import LanguageModelProposer, LanguageModelSettings, request_for
from regrapht.records.candidate import Candidate, NoSource, Origin, TokenUsage
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.encoding import from_json, to_json
from regrapht.records.expression import Expression
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.task import Arg, ArgKind, Compare, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.technique import Area, Technique, Transition
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.search.refusals import is_refusal
from regrapht.source.program_hash import program_hash
from regrapht.testing.model_server import ModelServer

CODE = (
    '__global__ void k(int n, float* x) { x[0] = n; }\nextern "C" void fill(int n, float* x) { k<<<1, 1>>>(n, x); }\n'
)
REPLY = f"One thread writes.\n\n```cuda\n{CODE}```\n"
INITIAL = Proposal(id=1, kind=ProposalKind.INITIAL)
EDGE = Transition("map_to_threads", "tiling")


@pytest.fixture
def task() -> Task:
    return Task(
        id="fill",
        title="Fill",
        description="",
        entry="fill",
        reference=Reference(source=SourceFile(name="r.cpp", text="void fill(int n, float* x) { x[0] = n; }")),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),
            Arg(name="x", kind=ArgKind.ARRAY, dtype=SCALAR_TYPES["float32"], shape=(Expression("n"),), role=Role.OUT),
        ),
        check_sizes=({"n": 1},),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("4*n")),
    )


def parent(source: str = CODE, techniques: tuple[str, ...] = ("map_to_threads",)) -> Judged:
    origin = Origin(proposer="test", seconds=0.0)
    candidate = Candidate(source=source, program_hash=program_hash(source), origin=origin, techniques=techniques)
    verdict = Verdict(
        status=Status.BUILD_FAILED,
        level=Level.SCREEN,
        evaluator="test",
        task_hash="t",
        candidate_id=candidate.id,
        reason="r",
        feedback="it does not compile",
        no_timing="not_reached",
    )
    return Judged(proposal_id=1, candidate=candidate, verdict=verdict)


class Graph:
    """As much of a technique graph as prompts need."""

    techniques = {  # noqa: RUF012
        "tiling": Technique(
            slug="tiling", title="Tiling", area=Area.SHARED_MEMORY, meaning="Tiles.", condition="Reuse."
        )
    }
    programs: dict[str, str] = {}  # noqa: RUF012


@pytest.fixture(autouse=True)
def nothing_is_known_of_servers():
    begun.forget()


def proposer(*replies: str, **settings) -> LanguageModelProposer:
    return LanguageModelProposer(ScriptedModel(replies), graph=Graph(), settings=LanguageModelSettings(**settings))


def connected(url: str) -> LanguageModelProposer:
    limits = CallLimits(read_s=0.25, total_s=60.0)
    model = OpenAICompatibleModel(
        parse_endpoint(f"m@{url}", allow_remote=False), limits=limits, clock=Clock(sleep=lambda seconds: None)
    )
    return LanguageModelProposer(model)


def test_a_first_program_through_a_real_server(task):
    with ModelServer([REPLY]) as server:
        candidate = connected(server.url).propose(task, INITIAL)
        sent = server.requests[0]
    assert candidate.source == CODE
    assert candidate.program_hash == program_hash(CODE)
    assert candidate.techniques == ("map_to_threads",)
    assert candidate.explanation == "One thread writes."
    assert candidate.origin.completion == REPLY
    assert candidate.origin.usage is not None and candidate.origin.usage.completion_tokens > 0
    assert candidate.origin.requests[0]["served_model"] == "m"
    assert candidate.origin.requests[0]["seed"] == sent["seed"]
    assert "void fill(int n, float* x)" in sent["messages"][1]["content"]
    assert from_json(Candidate, to_json(candidate)) == candidate


@pytest.mark.parametrize(
    ("kind", "techniques"),
    [
        (ProposalKind.APPLY, ("map_to_threads", "tiling")),
        (ProposalKind.REPAIR, ("map_to_threads",)),
        (ProposalKind.IMPROVE, ("map_to_threads",)),
    ],
)
def test_what_a_candidate_says_of_its_way(task, kind, techniques):
    edge = EDGE if kind is ProposalKind.APPLY else None
    before = parent(source=CODE.replace("= n", "= 0"))
    candidate = proposer(REPLY).propose(task, Proposal(id=2, kind=kind, parent=before, transition=edge))
    assert (candidate.techniques, candidate.transition, candidate.parent) == (techniques, edge, before.candidate.id)


class Silent:
    """A model whose server says nothing of tokens."""

    name = "silent"

    def __init__(self) -> None:
        self._inner = ScriptedModel([REPLY])

    def complete(self, prompt, sampling, *, deadline_s=None):
        return replace(self._inner.complete(prompt, sampling), usage=None)


def test_tokens_that_the_server_does_not_tell_are_estimated(task):
    origin = LanguageModelProposer(Silent(), graph=Graph()).propose(task, INITIAL).origin
    assert origin.usage is not None and origin.usage.completion_tokens == math.ceil(len(REPLY) / 3.5)
    assert origin.usage.prompt_tokens > 300 and origin.requests[0]["usage"] == "estimated"


@pytest.mark.parametrize(
    ("told", "believed"),
    [
        ((0, 0), False),
        ((-1, 5), False),
        ((400, 40), True),
        ((400, 10**9), False),
        ((10**9, 40), False),
        ((0, 40), False),
    ],
)
def test_tokens_that_cannot_be_are_not_believed(task, told, believed):
    class Telling(Silent):
        def complete(self, prompt, sampling, *, deadline_s=None):
            usage = TokenUsage(prompt_tokens=told[0], completion_tokens=told[1])
            return replace(super().complete(prompt, sampling), usage=usage)

    prices = Prices(input=1.0, output=2.0)
    asked = LanguageModelProposer(Telling(), graph=Graph(), settings=LanguageModelSettings(prices=prices))
    origin = asked.propose(task, INITIAL).origin
    assert origin.requests[0]["usage"] == ("told" if believed else "not believed")
    assert (
        origin.usage is not None and ((origin.usage.prompt_tokens, origin.usage.completion_tokens) == told) is believed
    )
    assert origin.usage.cost_usd == pytest.approx(prices.cost_usd(origin.usage)) and origin.usage.cost_usd > 0


def test_another_model_that_answers_is_said_once(task, caplog):
    with ModelServer() as server:
        asked = connected(server.fault_url("renamed"))
        served = [asked.propose(task, INITIAL).origin.requests[0]["served_model"] for _ in range(3)]
    assert served == ["m-1", "m-2", "m-3"]
    assert [record.message for record in caplog.records if "answered as" in record.message] == [
        "the server answered as m-1 at first, and now as m-2"
    ]


def test_a_first_reply_is_begun_with_the_skeleton(task):
    with ModelServer(["    x[i] = n;\n}\n```\n"]) as server:
        candidate = connected(server.url).propose(task, INITIAL)
        sent = server.requests[0]["messages"][-1]
    assert sent["role"] == "assistant" and sent["content"].startswith("```cuda\n#include <cuda_runtime.h>\n")
    assert sent["content"].rstrip().endswith("return;")
    assert (
        candidate.source is not None
        and "x[i] = n;" in candidate.source
        and candidate.origin.requests[0]["begun"] is True
    )


@pytest.mark.parametrize("kind", [ProposalKind.APPLY, ProposalKind.REPAIR, ProposalKind.IMPROVE])
def test_what_is_answered_by_code_alone_is_begun_with_the_fence(kind, task):
    """A technique may be refused in words, so its reply is the model's to begin."""
    rest = "#include <cuda_runtime.h>\n" + CODE.replace("x[0] = n;", "x[0] = n + 1;") + "```\n"
    proposal = Proposal(id=2, kind=kind, parent=parent(), transition=EDGE if kind is ProposalKind.APPLY else None)
    with ModelServer([rest if kind is not ProposalKind.APPLY else f"```cuda\n{rest}"]) as server:
        asked = LanguageModelProposer(connected(server.url)._model, graph=Graph())
        candidate = asked.propose(task, proposal)
        sent = server.requests[0]["messages"][-1]
    assert (sent["role"] == "assistant") is (kind is not ProposalKind.APPLY)
    assert kind is ProposalKind.APPLY or sent["content"] == "```cuda\n"
    assert candidate.source is not None and "x[0] = n + 1;" in candidate.source


@pytest.mark.parametrize("kind", [ProposalKind.APPLY, ProposalKind.REPAIR, ProposalKind.IMPROVE])
def test_a_program_given_back_unchanged_is_skipped(task, kind):
    reply = REPLY.replace("x[0] = n;", "/* faster now */ x[0]   = n;")
    edge = EDGE if kind is ProposalKind.APPLY else None
    proposal = Proposal(id=2, kind=kind, parent=parent(), transition=edge)
    candidate = proposer(reply).propose(task, proposal)
    assert candidate.no_source is NoSource.SKIPPED and "unchanged" in (candidate.reason or "")
    as_it_is = proposer(reply, mend=False).propose(task, proposal)
    assert as_it_is.source is not None


def test_a_mended_reply_says_what_was_mended(task):
    reply = REPLY.replace('extern "C" ', "")
    candidate = proposer(reply).propose(task, INITIAL)
    assert candidate.mended == ("entry_signature",)
    assert candidate.source is not None and 'extern "C" void fill(int n, float* x)' in candidate.source
    assert candidate.origin.completion == reply
    assert from_json(Candidate, to_json(candidate)) == candidate
    as_it_is = proposer(reply, mend=False).propose(task, INITIAL)
    assert as_it_is.mended == () and 'extern "C"' not in (as_it_is.source or "")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("empty", "empty"),
        ("nullcontent", "empty"),
        ("refusal", "no block"),
        ("length", "cut off at its limit"),
        ("filter", "filtered"),
        ("ok", "defines the function fill"),
    ],
)
def test_a_useless_reply_is_a_candidate_that_cost_its_tokens(task, fault, words):
    with ModelServer() as server:
        candidate = connected(server.fault_url(fault)).propose(task, INITIAL)
        assert server.hits[fault] == 1
    assert (candidate.source, candidate.no_source) == (None, NoSource.UNPARSABLE)
    assert words in (candidate.reason or "")
    assert (
        candidate.origin.usage is not None and candidate.origin.usage.total_tokens > 500
    )  # what its server counts, 2, cannot be


@pytest.mark.parametrize(
    ("fault", "error"),
    [("500", ModelUnavailable), ("html200", ModelUnavailable), ("reset", ModelUnavailable), ("401", ModelRefused)],
)
def test_a_model_that_gives_no_reply_is_an_exception(task, fault, error):
    with ModelServer() as server, pytest.raises(error, match=r"m at http://127\.0\.0\.1"):
        connected(server.fault_url(fault)).propose(task, INITIAL)


def test_prose_is_unparsable_and_a_technique_that_does_not_fit_is_skipped(task):
    asked = Proposal(id=2, kind=ProposalKind.APPLY, parent=parent(), transition=EDGE)
    no = "NOT APPLICABLE: nothing is read twice"
    skipped = proposer(no).propose(task, asked)
    assert (skipped.no_source, skipped.techniques) == (NoSource.SKIPPED, ("map_to_threads",))
    assert "nothing is read twice" in (skipped.reason or "")
    assert proposer("I would tile it.").propose(task, asked).no_source is NoSource.UNPARSABLE
    assert proposer(no).propose(task, INITIAL).no_source is NoSource.UNPARSABLE


def test_seeds_differ_by_attempt_and_repeat_by_proposal(task):
    def seed(**fields) -> object:
        candidate = proposer(REPLY).propose(task, Proposal(id=1, kind=ProposalKind.INITIAL, **fields))
        return candidate.origin.requests[0]["seed"]

    seeds = [seed(attempt=attempt, seed=number) for attempt in range(3) for number in range(3)]
    assert len(set(seeds)) == 9
    assert all(isinstance(value, int) and 0 <= value < 2**31 for value in seeds)
    assert seed(attempt=2, seed=1) == seeds[7]


def test_a_recording_gives_the_same_candidates_with_the_server_off(task, tmp_path):
    file = tmp_path / "calls.jsonl"
    proposals = [Proposal(id=number, kind=ProposalKind.INITIAL, attempt=number) for number in (1, 2)]
    with ModelServer([REPLY, "prose"]) as server:
        live_model = RecordingModel(OpenAICompatibleModel(parse_endpoint(f"m@{server.url}", allow_remote=False)), file)
        live = [LanguageModelProposer(live_model).propose(task, proposal) for proposal in proposals]
    replayed_model = open_recording(str(file), ModelOptions())
    replayed = [LanguageModelProposer(replayed_model).propose(task, proposal) for proposal in proposals]
    assert [candidate.id for candidate in replayed] == [candidate.id for candidate in live]
    assert [candidate.origin.requests for candidate in replayed] == [candidate.origin.requests for candidate in live]


def test_contexts_that_are_too_small(task):
    with pytest.raises(ConfigError, match="no room for a prompt"):
        LanguageModelSettings(context_tokens=4096, max_tokens=4096)
    alone = proposer(REPLY, context_tokens=300, max_tokens=200).propose(task, INITIAL)
    assert alone.no_source is NoSource.SKIPPED and alone.source is None
    told = re.fullmatch(
        r"the prompt needs about (\d+) tokens and the model's context (.*): take .*", alone.reason or ""
    )
    assert told is not None and int(told[1]) > 100 and told[2] == "holds 100 beside a reply of 200"
    long = Proposal(id=2, kind=ProposalKind.IMPROVE, parent=parent(CODE.replace("{", "{ ;" + "n = n + 1; " * 3000, 1)))
    skipped = proposer(REPLY, context_tokens=4096, max_tokens=1024).propose(task, long)
    assert skipped.no_source is NoSource.SKIPPED
    assert "with the current program needs about" in (skipped.reason or "")
    assert "holds 3072 beside a reply of 1024" in (skipped.reason or "")


@pytest.mark.parametrize("kind", [ProposalKind.APPLY, ProposalKind.REPAIR, ProposalKind.IMPROVE])
def test_a_program_too_long_for_the_context_is_not_served_in_any_kind(task, kind, caplog):
    technique = Technique(slug="tiling", title="Tiling", area=Area.MEMORY, meaning="Tiles.", condition="Reuse.")
    graph = TechniqueGraph(techniques={"tiling": technique}, edges={}, paths=())
    tight = LanguageModelProposer(
        ScriptedModel([REPLY]), graph=graph, settings=LanguageModelSettings(context_tokens=4096, max_tokens=1024)
    )
    transition = Transition("init", "tiling") if kind is ProposalKind.APPLY else None
    long = CODE.replace("{", "{ ;" + "n = n + 1; " * 3000, 1)
    for source, serves in ((CODE, True), (long, False), (long, False)):
        asked = Proposal(id=2, kind=kind, parent=parent(source), transition=transition)
        assert tight.serves(task, asked) is serves
        assert bool(tight.propose(task, asked).origin.requests) is serves, (
            "what is served is sent, and what is not would not be"
        )
    assert tight.serves(task, INITIAL)
    assert [record.message.count("is not asked about such programs") for record in caplog.records] == [1]
    assert LanguageModelProposer(ScriptedModel([REPLY])).serves(task, replace(asked, parent=parent(long)))


def test_a_skeleton_that_does_not_fit_is_left_out_and_that_is_kept(task):
    whole, file = request_for(task, INITIAL, RenderSettings(code_alone=True))
    assert file is not None and whole.dropped == ()
    for room in range(estimate_tokens(whole), 0, -10):
        shorter, shown = request_for(task, INITIAL, RenderSettings(code_alone=True, room_tokens=room))
        if shown is None:
            break
        assert estimate_tokens(shorter) <= room
    assert shown is None and shorter.dropped[0] == "skeleton" and estimate_tokens(shorter) <= room


@pytest.mark.parametrize("comment", ["", "    // the rest stays as it is\n"])
def test_a_skeleton_given_back_with_nothing_written_is_no_program(task, comment):
    _, file = request_for(task, INITIAL, RenderSettings(code_alone=True))
    assert file is not None
    first, brace, rest = file.rpartition("}")
    back = proposer(f"```cuda\n{first}{comment}{brace}{rest}```\n").propose(task, INITIAL)
    assert back.no_source is NoSource.UNPARSABLE and "nothing written into the kernel" in (back.reason or "")


def test_registry_and_applicability(task):
    assert PROPOSERS.load("language_model") is LanguageModelProposer
    assert proposer().applicable(task, parent().candidate, EDGE) is None


@pytest.mark.parametrize(("context", "expected"), [(None, None), (100_000, None), (4096, False)])
def test_no_technique_applies_where_no_prompt_would_hold_the_program(task, context, expected):
    long = parent(CODE.replace("{", "{ ;" + "n = n + 1; " * 3000, 1)).candidate
    assert proposer(context_tokens=context, max_tokens=1024).applicable(task, long, EDGE) is expected


def test_a_prompt_that_the_server_finds_too_long_is_skipped_and_the_run_goes_on(task):
    class Narrow(ScriptedModel):
        def complete(self, prompt, sampling, *, deadline_s=None):
            raise PromptTooLong("m: HTTP 400: maximum context length")

    asked = LanguageModelProposer(Narrow((REPLY,)), graph=Graph())
    skipped = asked.propose(task, INITIAL)
    assert skipped.no_source is NoSource.SKIPPED and "context" in (skipped.reason or "")


@pytest.mark.parametrize("room", [1.0, 0.9, 0.7, 0.0])
def test_a_prompt_that_the_server_finds_too_long_is_sent_without_what_can_be_left_out(task, room):
    class Narrow(ScriptedModel):
        def complete(self, prompt, sampling, *, deadline_s=None):
            tried.append(prompt)
            if estimate_tokens(prompt) > limit:
                raise PromptTooLong("m: HTTP 400: maximum context length")
            return super().complete(prompt, sampling, deadline_s=deadline_s)

    failed = tuple(replace(parent(CODE.replace("1", str(n))), proposal_id=n) for n in range(2, 8))
    asked = Proposal(id=9, kind=ProposalKind.APPLY, parent=parent(), transition=EDGE, history=failed)
    tried, limit = [], float("inf")
    LanguageModelProposer(Narrow((REPLY,)), graph=Graph()).propose(task, asked)
    limit = room * estimate_tokens(tried.pop())
    model = LanguageModelProposer(Narrow((REPLY,)), graph=Graph())
    made = model.propose(task, asked)
    lengths = [estimate_tokens(prompt) for prompt in tried]
    assert lengths == sorted(set(lengths), reverse=True), "each try is shorter than the one before"
    assert bool(made.origin.requests) is (room > 0) and (lengths[-1] <= limit) is (room > 0)
    assert ("attempt 2" in tried[-1].dropped) is (room < 1)
    assert model.serves(task, asked) is (room > 0), "nothing more is asked about a program that no prompt holds"
    assert model.serves(task, replace(asked, kind=ProposalKind.REPAIR, history=())), "a repair has another prompt"
    unsent = Judged(proposal_id=9, candidate=made, verdict=replace(parent().verdict, status=Status.SKIPPED))
    assert not is_refusal(asked, unsent) or room > 0, "no technique was refused where nobody was asked"


HOST = 'extern "C" void fill(int n, float* x) { x[0] = n; }\n'


@pytest.mark.parametrize(
    ("code", "is_program"),
    [
        (HOST, False),
        (f"#include <cuda_runtime.h>\n// a kernel<<<1, 1>>> later\n{HOST}", False),
        (f"static void each(int n, float* x) {{ x[0] = n; }}\n{HOST.replace('x[0] = n', 'each(n, x)')}", False),
        (HOST.replace("x[0] = n", "cudaMemset(x, 0, 4)"), True),
        (HOST.replace("x[0] = n", "thrust::fill_n(thrust::device, x, 1, n)"), True),
        (HOST.replace("x[0] = n", "x[threadIdx.x] = n"), True),
        (CODE, True),
    ],
)
@pytest.mark.parametrize("asked", ["first", "technique", "repair"])
def test_the_reference_given_back_is_no_program(task, code, is_program, asked):
    """It would read device pointers on the host: a judge says no more of it than that it crashed."""
    shown = parent(CODE.replace("1", "2"))
    kinds = {
        "first": INITIAL,
        "technique": Proposal(id=9, kind=ProposalKind.APPLY, parent=shown, transition=EDGE),
        "repair": Proposal(id=9, kind=ProposalKind.REPAIR, parent=shown),
    }
    back = proposer(f"```cuda\n{code}```\n").propose(task, kinds[asked])
    assert (back.source is not None) is is_program
    assert is_program or (back.no_source is NoSource.UNPARSABLE and "launches no kernel" in (back.reason or ""))
    as_it_is = proposer(f"```cuda\n{code}```\n", mend=False).propose(task, kinds[asked])
    assert as_it_is.source is not None
