"""What a search asks a proposer for."""

from dataclasses import dataclass
from enum import StrEnum

from regrapht.records.candidate import Candidate, Writer
from regrapht.records.technique import Exemplar, Transition
from regrapht.records.verdict import Verdict


class ProposalKind(StrEnum):
    """The six things that can be asked for."""

    INITIAL = "initial"
    """A first CUDA program from the task alone."""
    APPLY = "apply"
    """Apply one transition's technique to the parent."""
    REPAIR = "repair"
    """Make the parent, which failed, right."""
    IMPROVE = "improve"
    """Make the parent faster by any means."""
    TUNE = "tune"
    """The parent with other values for its open parameters; `notes` holds them as a JSON object of texts."""
    CHOOSE = "choose"
    """No program: which of `choices` fit the parent, in order. Answered by a candidate without source that holds them as `chosen`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The answer to one proposal: the candidate and what the judge said of it. Also the event of that name."""

    proposal_id: int
    candidate: Candidate
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One request of a search. Ids count up from 1 within a run."""

    id: int
    kind: ProposalKind
    parent: Judged | None = None
    transition: Transition | None = None
    exemplars: tuple[Exemplar, ...] = ()
    attempt: int = 0
    """How often this transition (or, for the other kinds, this request) was asked at this program before: the transform engine then
    takes its next parameters, a model its next sample."""
    seed: int = 0
    history: tuple[Judged, ...] = ()
    """Earlier turns of one dialogue, oldest first, for searches that carry one (FSR)."""
    notes: str = ""
    """Words of the search for a model, such as a sketched plan; empty for most."""
    in_full: bool = False
    """Whether an answer that passes is judged in full at once, because others are going to be built on it."""
    choices: tuple[str, ...] = ()
    """Techniques to choose among, the likeliest first, with the kind CHOOSE."""
    asked_of: Writer | None = None
    """RULE or MODEL where one of two writers is to serve it and the other is not; None where that is the proposer's to say."""

    def __post_init__(self) -> None:
        if self.id < 1 or self.attempt < 0:
            raise ValueError("ids start at 1, attempts at 0")
        if (self.kind is ProposalKind.INITIAL) != (self.parent is None):
            raise ValueError("an initial proposal has no parent, every other has one")
        if self.kind is ProposalKind.APPLY and self.transition is None:
            raise ValueError("an apply proposal needs a transition")
        if (self.kind is ProposalKind.CHOOSE) != bool(self.choices):
            raise ValueError("a proposal to choose has choices, no other has any")


@dataclass(frozen=True, slots=True)
class Wait:
    """`Search.ask` has nothing to offer until another proposal is told or abandoned."""
