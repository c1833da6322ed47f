"""Candidates from a language model: render the proposal, ask, take the program out of the reply."""

import hashlib
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from regrapht.errors import ConfigError, PromptTooLong
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.llm.client import LanguageModel
from regrapht.llm.prices import Prices
from regrapht.prompts.hardware import HardwareBlock
from regrapht.prompts.program_view import count_tokens
from regrapht.prompts.render import (
    RenderSettings,
    Wording,
    estimate_tokens,
    least_tokens,
    render,
    shown_before_technique,
)
from regrapht.prompts.templates import using
from regrapht.propose.applicability import cannot_apply
from regrapht.propose.charge import charged, request_record
from regrapht.propose.form.beginning import FENCE, beginning, beginning_of_repair
from regrapht.propose.form.host_alone import runs_on_the_host_alone
from regrapht.propose.form.left_out import kernels_left_open
from regrapht.propose.form.program import Program
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.skeleton import skeleton
from regrapht.propose.pace import Pace
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.prompt import Completion, Finish, Prompt, Sampling
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import Transition
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.source.program_hash import program_hash

NAME = "language_model"
_log = logging.getLogger(__name__)

FIRST_TECHNIQUE = "map_to_threads"
ON_THE_HOST = (
    "the reply is sequential code for the host, which launches no kernel: the entry's arrays are device pointers, that only a kernel may "
    "read and write"
)
SHORTER = 0.9
"""Of the tokens of a prompt that a server found too long, what the next one may have: code has more tokens a byte than prose."""
_CODE_ALONE = (ProposalKind.REPAIR, ProposalKind.IMPROVE)
"""What is answered by code and nothing else; a technique may be refused in words."""
_WITHOUT_WORDS = (Wording.GRAPH, Wording.CHAIN, Wording.FSR)
"""Wordings that ask for no thought before the code of these."""
_CUT = {
    Finish.LENGTH: "the reply was cut off at its limit of tokens",
    Finish.FILTERED: "the provider filtered or refused the reply",
    Finish.UNKNOWN: "the reply stopped without saying that it was complete",
}

_QUESTION = 600
"""Tokens that a request for a technique has, and the system's message, beside what a choice shows of task and program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelSettings:
    """How a model is asked."""

    temperature: float | None = 0.7
    top_p: float | None = None
    max_tokens: int = 8192
    """Longest reply."""
    context_tokens: int | None = None
    """The model's context, prompt and reply together; None to send prompts of any length."""
    deadline_s: float | None = None
    """For one proposal, retries included; None for the model's own limit."""
    show_reference: bool = True
    prices: Prices | None = None
    """What the model's tokens cost; None where that is not known."""
    hardware: HardwareBlock | None = None
    wording: Wording = Wording.GRAPH
    mend: bool = True
    """Whether faults of form in a reply are mended (`propose.form`), and a first program is asked for as the kernel of a file that is ours;
    False takes replies as they are, as the papers do."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Templates of the user's own, by name."""
    shorten_prompts: bool = True
    """Whether prompts are kept short for a model that says it reads slowly (`propose.pace`)."""
    shorten_replies: bool = True
    """The same of replies to one that writes slowly."""

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ConfigError("a reply needs at least one token: raise max_tokens")
        if self.context_tokens is not None and self.context_tokens <= self.max_tokens:
            raise ConfigError(
                f"a context of {self.context_tokens} tokens leaves no room for a prompt beside a reply of {self.max_tokens}: "
                "lower max_tokens (--max-tokens), or use a model with a larger context"
            )


class LanguageModelProposer:
    """Asks a model for each proposal; one request, one candidate.

    A reply without usable code is a candidate without source (and has cost its tokens); only a model that cannot be reached raises.
    The same proposal gives the same request, its seed included, but where a slow model's prompts are kept short (`propose.pace`). Whether
    it gives the same reply is up to the server; with `recorded:` it does.
    """

    name = NAME

    def __init__(
        self,
        model: LanguageModel,
        *,
        graph: TechniqueGraph | None = None,
        settings: LanguageModelSettings | None = None,
    ) -> None:
        self._model = model
        self._served: str | None = None
        self._said_renamed = False
        self._least: dict[tuple[str, ProposalKind], int] = {}
        """Candidate and kind of proposal -> what a prompt about its program has at least, but for a technique's own words."""
        self._unserved: set[tuple[str, ProposalKind]] = set()
        """Candidate and kind of proposal that the server found too long with all left out that can be."""
        self._said_too_long = False
        self._read: tuple[str, int, int | None] = ("", 0, None)
        """Candidate whose program the model read last for a choice, about how many tokens that were, and how long it was to be at most."""
        self._settings = settings or LanguageModelSettings()
        self._pace = Pace(model, page=self._settings.shorten_prompts, reply=self._settings.shorten_replies)
        reply = self._settings.max_tokens
        context = self._settings.context_tokens
        self._rendering = RenderSettings(
            techniques=graph.techniques if graph else {},
            programs=graph.programs if graph else {},
            hardware=self._settings.hardware,
            room_tokens=None if context is None else context - reply,
            show_reference=self._settings.show_reference,
            wording=self._settings.wording,
            code_alone=self._settings.mend,
        )

    def propose(self, task: Task, proposal: Proposal, *, obstacle: str = "") -> Candidate:
        """The program asked for, or a candidate without source that says why there is none.

        Args:
            task: What is asked for.
            proposal: What to write.
            obstacle: What keeps a compiler from mapping the task, where that is to be told.

        Raises:
            ModelUnavailable: The endpoint is down or out of its deadlines after all retries.
            ModelRefused: The provider declined for good.
        """
        started = time.monotonic()
        self._pace.tell(self._settings.max_tokens, self._settings.context_tokens)
        rendering = self._rendered(proposal, obstacle=obstacle)
        with using(self._settings.prompts):
            prompt, file = request_for(task, proposal, rendering)
        room = self._rendering.room_tokens
        if room is not None and estimate_tokens(prompt) > room:
            return self._too_long(
                proposal, prompt, started, f"holds {room} beside a reply of {self._settings.max_tokens}"
            )
        sampling = self._sampling(proposal)
        while True:
            try:
                completion = self._model.complete(prompt, sampling, deadline_s=self._settings.deadline_s)
                break
            except PromptTooLong as error:
                if (shorter := self._shorter(task, proposal, prompt, rendering)) is None:
                    return self._too_long(proposal, prompt, started, f"is too small for it ({error})")
                prompt, file = shorter
        self._watch_name(completion.served_model)
        usage, told = charged(prompt, completion, sampling, self._settings.prices)
        origin = Origin(
            proposer=self.name,
            seconds=time.monotonic() - started,
            prompt_hash=prompt.content_hash,
            prompt=prompt.text,
            completion=completion.text,
            usage=usage,
            requests=(request_record(self._model.name, prompt, sampling, completion, told),),
        )
        return _candidate(task, proposal, origin, completion, shown=file, mends=self._settings.mend)

    def _shorter(
        self, task: Task, proposal: Proposal, prompt: Prompt, rendering: RenderSettings
    ) -> tuple[Prompt, str | None] | None:
        """The request with more left out, for a server that counts more tokens than our estimate; None, which is remembered, where nothing
        is left that can be."""
        before = estimate_tokens(prompt)
        with using(self._settings.prompts):
            shorter = request_for(task, proposal, replace(rendering, room_tokens=int(before * SHORTER)))
        if estimate_tokens(shorter[0]) < before:
            return shorter
        if proposal.parent is not None:
            self._unserved.add((proposal.parent.candidate.id, proposal.kind))
        return None

    def _too_long(self, proposal: Proposal, prompt: Prompt, started: float, context: str) -> Candidate:
        """No candidate, because the prompt does not fit: how long it is, what the context is, and what to do."""
        origin = Origin(proposer=self.name, seconds=time.monotonic() - started, prompt_hash=prompt.content_hash)
        shown = " with the current program" if proposal.parent is not None else ""
        reason = (
            f"the prompt{shown} needs about {estimate_tokens(prompt)} tokens and the model's context {context}: take a model with a larger "
            "context, give a larger --context-tokens where the model has it, or lower --max-tokens"
        ) + (", or --hide-reference" if self._settings.show_reference else "")
        return _without_source(proposal, origin, NoSource.SKIPPED, " ".join(reason.split()))

    def _watch_name(self, served: str) -> None:
        """Say once that another model answers than at first; every request's record has the name."""
        self._served = self._served or served
        if served != self._served and not self._said_renamed:
            self._said_renamed = True
            _log.warning("the server answered as %s at first, and now as %s", self._served, served)

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """False where the program's text says that the technique cannot apply or is too long for a prompt, else None: the reply tells."""
        if cannot_apply(candidate, transition.target) or not self.serves(task, _asked_at(task, candidate, transition)):
            return False
        return None

    def read_before_technique(self, task: Task, proposal: Proposal) -> str:
        """How a request for the technique of an APPLY proposal begins, where the model keeps what it has read; else empty.

        The prompt for a technique of that program leaves out then what was left out here, and no more: it is read already.
        """
        parent, transition = proposal.parent, proposal.transition
        if not self._pace.keeps_what_it_reads or parent is None or transition is None:
            return ""
        if transition.target not in self._rendering.techniques:
            return ""
        page = self._pace.page_tokens()
        shown = shown_before_technique(task, proposal, settings=replace(self._rendering, page_tokens=page))
        self._read = (parent.candidate.id, count_tokens(shown), page)
        return shown

    def _rendered(self, proposal: Proposal, *, obstacle: str = "") -> RenderSettings:
        """What a prompt is made with now: no more than the model reads in a minute, as far as there is anything to leave out."""
        page = self._pace.page_tokens()
        program, tokens, page_then = self._read
        if (
            proposal.kind is ProposalKind.APPLY
            and proposal.parent is not None
            and proposal.parent.candidate.id == program
        ):
            page = page_then if page_then is not None or page is None else tokens + max(page, _QUESTION)
        return replace(self._rendering, page_tokens=page, obstacle=obstacle)

    def serves(self, task: Task, proposal: Proposal) -> bool:
        """False where what is asked about a program is too long for the model's context, whatever is left out: a search would ask in vain
        for each technique, repair and improvement. A first program is always tried, so that a run says what it needs.
        """
        room, parent = self._rendering.room_tokens, proposal.parent
        if parent is not None and (parent.candidate.id, proposal.kind) in self._unserved:
            return False
        if room is None or parent is None or parent.candidate.source is None:
            return True
        if proposal.transition is not None and proposal.transition.target not in self._rendering.techniques:
            return True
        key = (parent.candidate.id, proposal.kind)
        if key not in self._least:
            with using(self._settings.prompts):
                self._least[key] = least_tokens(task, proposal, self._rendering)
        fits = self._least[key] <= room
        if not fits and not self._said_too_long:
            self._said_too_long = True
            _log.warning(
                "a prompt with the current program needs about %d tokens and the model's context holds %d beside a reply of %d: the model "
                "is not asked about such programs; give a larger --context-tokens where the model has it, or lower --max-tokens",
                self._least[key],
                room,
                self._settings.max_tokens,
            )
        return fits

    def doing(self) -> str:
        """What the model is at, in words; empty where it is not asked, or does not tell."""
        doing = getattr(self._model, "doing", None)
        return "" if doing is None else str(doing())

    def close(self) -> None:
        """Give up the requests that are out, and what the model holds."""
        self._model.close()

    def _sampling(self, proposal: Proposal) -> Sampling:
        """Parameters of the request; the seed differs with each attempt and stays below 2^31, which every server takes."""
        digest = hashlib.sha256(f"{proposal.seed} {proposal.attempt}".encode()).digest()
        return Sampling(
            temperature=self._settings.temperature,
            top_p=self._settings.top_p,
            max_tokens=self._pace.reply_tokens(self._settings.max_tokens),
            seed=int.from_bytes(digest[:4], "big") >> 1,
        )


def _asked_at(task: Task, candidate: Candidate, transition: Transition) -> Proposal:
    """The proposal of a technique at a program, with nothing told of how the program was judged."""
    verdict = Verdict(
        status=Status.SKIPPED,
        level=Level.SCREEN,
        evaluator="none",
        task_hash=task.content_hash,
        candidate_id=candidate.id,
        reason="not looked at",
        no_timing="not_reached",
    )
    parent = Judged(proposal_id=1, candidate=candidate, verdict=verdict)
    return Proposal(id=1, kind=ProposalKind.APPLY, parent=parent, transition=transition)


def request_for(task: Task, proposal: Proposal, rendering: RenderSettings) -> tuple[Prompt, str | None]:
    """What a model is asked for a proposal, and the file that its reply completes; None where it is asked for a whole one.

    Where the file takes the prompt beyond the model's context, `Prompt.dropped` says so, and a whole file is asked for.

    Raises:
        ConfigError: As `render`.
    """
    file = skeleton(task) if rendering.code_alone and proposal.kind is ProposalKind.INITIAL else None
    prompt = render(task, proposal, settings=replace(rendering, skeleton=file))
    room = rendering.room_tokens
    if file is not None and room is not None and estimate_tokens(prompt) > room:
        file = None
        prompt = render(task, proposal, settings=rendering)
        prompt = replace(prompt, dropped=("skeleton", *prompt.dropped))
    if file is not None:
        return replace(prompt, begin=beginning(file)), file
    if rendering.code_alone and proposal.kind in _CODE_ALONE and rendering.wording in _WITHOUT_WORDS:
        return replace(prompt, begin=_begun(proposal, rendering)), None
    return prompt, None


def _begun(proposal: Proposal, rendering: RenderSettings) -> str:
    """How the reply to a repair or an improvement begins."""
    failed = proposal.parent
    if failed is None or failed.candidate.source is None or proposal.kind is not ProposalKind.REPAIR:
        return FENCE
    by_function = rendering.wording is not Wording.FSR  # which asks for whole files
    return beginning_of_repair(failed.candidate.source, failed.verdict) if by_function else FENCE


def _candidate(
    task: Task, proposal: Proposal, origin: Origin, completion: Completion, *, shown: str | None, mends: bool
) -> Candidate:
    """The completion as a candidate; `shown` is the file that a first program completes."""
    parent = proposal.parent.candidate if proposal.parent else None
    read = read_reply(
        completion.text,
        task,
        parent=parent.source if parent else None,
        skeleton=shown,
        may_refuse=proposal.kind is ProposalKind.APPLY,
        mends=mends,
        cut_off=_CUT.get(completion.finish, ""),
    )
    if read.code is None:
        if read.not_applicable is not None:
            why = f"the model says that the technique does not apply: {read.not_applicable}"
            return _without_source(proposal, origin, NoSource.SKIPPED, why)
        return _without_source(proposal, origin, NoSource.UNPARSABLE, read.reason)
    made = program_hash(read.code)
    if mends and shown is not None and made == program_hash(shown):
        return _without_source(
            proposal, origin, NoSource.UNPARSABLE, "the reply gives the file back with nothing written into the kernel"
        )
    if mends and shown is not None and (left := kernels_left_open(Program(read.code, task), shown)):
        return _without_source(
            proposal, origin, NoSource.UNPARSABLE, f"the reply has nothing written into the kernel {', '.join(left)}"
        )
    if mends and runs_on_the_host_alone(Program(read.code, task)):
        return _without_source(proposal, origin, NoSource.UNPARSABLE, ON_THE_HOST)
    if mends and parent is not None and made == parent.program_hash:
        return _without_source(proposal, origin, NoSource.SKIPPED, "the model gave the program back unchanged")
    return Candidate(
        source=read.code,
        program_hash=made,
        origin=origin,
        parent=parent.id if parent else None,
        transition=proposal.transition,
        techniques=_techniques(proposal),
        explanation=read.prose,
        mended=read.mends,
    )


def _without_source(proposal: Proposal, origin: Origin, kind: NoSource, reason: str) -> Candidate:
    return Candidate(
        source=None,
        program_hash=None,
        origin=origin,
        parent=proposal.parent.candidate.id if proposal.parent else None,
        transition=proposal.transition,
        techniques=proposal.parent.candidate.techniques if proposal.parent else (),
        no_source=kind,
        reason=reason,
    )


def _techniques(proposal: Proposal) -> tuple[str, ...]:
    """What was asked for so far; whether the model did it, only the judge's evidence can tell."""
    if proposal.parent is None:
        return (FIRST_TECHNIQUE,)
    before = proposal.parent.candidate.techniques
    if proposal.kind is ProposalKind.APPLY and proposal.transition is not None:
        return (*before, proposal.transition.target)
    return before
