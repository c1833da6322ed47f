"""Events of a run as rows, and back.

A row names by proposal id what an earlier row holds (a proposal's parent and history), and by hash the texts that are blobs (a candidate's
source, a model's reply), so nothing is stored twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from regrapht.errors import SchemaError
from regrapht.records.candidate import Writer
from regrapht.records.encoding import from_json, from_plain, parse_strict, to_json, to_plain
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Abandoned, Asked, Event
from regrapht.records.technique import Exemplar, Transition
from regrapht.store.blobs import BlobStore


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredProposal:
    """A `Proposal` whose parent and history are ids of the proposals that they answered."""

    id: int
    kind: ProposalKind
    parent: int | None
    transition: Transition | None
    exemplars: tuple[Exemplar, ...]
    attempt: int
    seed: int
    history: tuple[int, ...]
    notes: str
    in_full: bool = False
    choices: tuple[str, ...] = ()
    asked_of: Writer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One event as the database keeps it."""

    kind: str
    proposal_id: int
    is_answer: bool
    """A proposal is asked once and answered once, by a judgement or by being abandoned."""
    candidate_id: str | None
    body: str


def encode_event(event: Event, blobs: BlobStore) -> EventRow:
    """The row of an event; its texts are on the disk when this returns."""
    if isinstance(event, Asked):
        body = to_json(_stored(event.proposal))
        return EventRow(kind="asked", proposal_id=event.proposal.id, is_answer=False, candidate_id=None, body=body)
    if isinstance(event, Abandoned):
        return EventRow(
            kind="abandoned", proposal_id=event.proposal_id, is_answer=True, candidate_id=None, body=to_json(event)
        )
    plain = to_plain(event)
    for holder, key in _texts(plain):
        holder[key] = blobs.put(holder[key])
    return EventRow(
        kind="judged",
        proposal_id=event.proposal_id,
        is_answer=True,
        candidate_id=event.candidate.id,
        body=to_json(plain),
    )


def decode_event(row: EventRow, judged: Mapping[int, Judged], blobs: BlobStore) -> Event:
    """The event of a row; `judged` are the judgements of the same run so far, by proposal id.

    Raises:
        SchemaError: The row does not describe an event, or refers to something that is not there.
    """
    if row.kind == "asked":
        return Asked(proposal=_restored(from_json(StoredProposal, row.body), judged))
    if row.kind == "abandoned":
        return from_json(Abandoned, row.body)
    if row.kind != "judged":
        raise SchemaError(f"an event of unknown kind {row.kind!r:.40}: upgrade regrapht")
    return decode_judged(row.body, blobs)


def decode_judged(body: str, blobs: BlobStore) -> Judged:
    """The judgement in a row's body, with its texts.

    Raises:
        SchemaError: It is none, or a text is gone.
    """
    plain = parse_strict(body)
    try:
        for holder, key in _texts(plain):
            holder[key] = blobs.get(holder[key])
    except (KeyError, TypeError) as error:
        raise SchemaError(f"a judged event without {error}") from error
    judged: Judged = from_plain(Judged, plain)
    return judged


def references(proposal: Proposal) -> tuple[Judged, ...]:
    """The earlier judgements that a proposal refers to."""
    return proposal.history if proposal.parent is None else (proposal.parent, *proposal.history)


def _stored(proposal: Proposal) -> StoredProposal:
    values = {f.name: getattr(proposal, f.name) for f in fields(Proposal)}
    values["parent"] = None if proposal.parent is None else proposal.parent.proposal_id
    values["history"] = tuple(turn.proposal_id for turn in proposal.history)
    return StoredProposal(**values)


def _restored(stored: StoredProposal, judged: Mapping[int, Judged]) -> Proposal:
    values = {f.name: getattr(stored, f.name) for f in fields(StoredProposal)}
    try:
        values["parent"] = None if stored.parent is None else judged[stored.parent]
        values["history"] = tuple(judged[turn] for turn in stored.history)
        return Proposal(**values)
    except KeyError as error:
        raise SchemaError(
            f"proposal {stored.id} refers to the judgement of proposal {error}, which is not there"
        ) from error
    except ValueError as error:
        raise SchemaError(f"proposal {stored.id}: {error}") from error


def _texts(judged: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Where a judgement's plain form holds texts that are kept as blobs."""
    candidate = judged["candidate"]
    places = [(candidate, "source"), (candidate["origin"], "completion"), (candidate["origin"], "prompt")]
    return [(holder, key) for holder, key in places if holder.get(key) is not None]
