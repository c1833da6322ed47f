"""One proposed program, with where it came from."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from regrapht.records.technique import Transition


class NoSource(StrEnum):
    """Why a candidate has no source. The evaluator answers with the status of the same name, `NO_PROGRAM` with that of `UNPARSABLE`."""

    UNPARSABLE = "unparsable"
    """A model's reply held no usable code."""
    NO_PROGRAM = "no_program"
    """The same where a model writes beside rules: the judge has had nothing to judge, so it costs a proposal, not a judged candidate."""
    SKIPPED = "skipped"
    """The technique does not apply to this program; costs a proposal, not a judged candidate."""


class Writer(StrEnum):
    """Who wrote a candidate, as tables of a run tell them apart."""

    ENGINE = "engine"
    """The transform engine, from the task alone."""
    RULE = "rule"
    """A rule of the transform engine, applied to its own program."""
    HINT = "hint"
    """What the judge said would mend the program, done by machine."""
    MODEL = "model"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens and money that one or more calls of a model took. Cost is None where no price is known."""

    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None = None
    cached_tokens: int = 0
    """Those of the prompt that the server had from before, which cost less."""

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who made a candidate and from what."""

    proposer: str
    seconds: float
    decisions: str | None = None
    """JSON of the transform engine's decisions, enough to build the program again; None for other proposers."""
    prompt_hash: str | None = None
    prompt: str | None = None
    """What a model was asked, each message behind a line `=== SPEAKER ===`; None in runs from before it was kept."""
    completion: str | None = None
    """A model's raw reply."""
    usage: TokenUsage | None = None
    requests: tuple[Mapping[str, object], ...] = ()
    """One entry a model call: request hash, served model, parameters, latency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One proposed source text; identified by the hash of that text."""

    source: str | None
    """CUDA C++ that defines the task's entry; None when there is none to judge."""
    program_hash: str | None
    """SHA-256 of the source without comments and layout: programs that differ only there are one. None without source."""
    origin: Origin
    parent: str | None = None
    """Id of the candidate that this one was made from."""
    transition: Transition | None = None
    techniques: tuple[str, ...] = ()
    """Slugs of the techniques applied so far, in order, this one's last."""
    independence: str | None = None
    """How it is known that threads do not meet, where that is not proved: observed or promised, with what was looked at."""
    one_thread: bool = False
    """Whether its writer knows that one thread does the main work."""
    explanation: str = ""
    """What was done and why, for a reader."""
    mended: tuple[str, ...] = ()
    """Names of the mends of form that changed a model's reply on its way to `source` (see `propose.form`)."""
    no_source: NoSource | None = None
    reason: str | None = None
    """Why there is no source."""
    chosen: tuple[str, ...] | None = None
    """Of techniques to choose among, those that a model says fit, in order; None where it was not asked to choose."""

    def __post_init__(self) -> None:
        if (self.source is None) != (self.no_source is not None):
            raise ValueError("a candidate has either source or a reason for having none")
        if self.source is None and not self.reason:
            raise ValueError("a candidate without source needs a reason")
        if (self.source is None) != (self.program_hash is None):
            raise ValueError("program_hash goes with source")
        if self.source is not None:
            self.source.encode()  # a lone surrogate, which no file can hold, is a UnicodeEncodeError, and so a ValueError, at once

    @property
    def writer(self) -> Writer:
        """Who wrote it."""
        if self.origin.decisions is not None or self.origin.proposer == "transform":
            return Writer.ENGINE if self.parent is None else Writer.RULE
        if self.origin.proposer == Writer.HINT:
            return Writer.HINT
        asked = self.origin.requests or self.origin.prompt_hash is not None
        return Writer.MODEL if asked else Writer.OTHER

    @property
    def is_of_a_model(self) -> bool:
        """Whether the text is a model's, or a mechanical repair of one."""
        return self.writer in (Writer.MODEL, Writer.HINT)

    @property
    def id(self) -> str:
        """SHA-256 of the source text; of kind and reason where there is none."""
        text = self.source if self.source is not None else f"{self.no_source}: {self.reason}"
        return hashlib.sha256(text.encode()).hexdigest()


def lineage(candidate: Candidate, known: Callable[[str], Candidate | None]) -> list[Candidate]:
    """The candidates on the way to one, the first program first; `known` finds a candidate by its id."""
    way, seen = [candidate], {candidate.id}
    while (parent := way[-1].parent) is not None and parent not in seen and (before := known(parent)) is not None:
        seen.add(parent)
        way.append(before)
    return way[::-1]
