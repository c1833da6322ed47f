"""Asking a model which of a few techniques fit a program: one short request, answered by a candidate without source."""

import time
from collections.abc import Mapping

from regrapht.errors import PromptTooLong
from regrapht.llm.client import LanguageModel
from regrapht.llm.prices import Prices
from regrapht.prompts.choice import read_choice, render_choice
from regrapht.propose.charge import charged, request_record
from regrapht.propose.language_model import NAME
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.prompt import Sampling
from regrapht.records.proposal import Proposal
from regrapht.records.technique import Technique

LONGEST_REPLY = 200
"""Tokens: eight names need sixty."""


class Chooser:
    """Serves proposals of the kind CHOOSE.

    Args:
        room_tokens: What the model's context leaves for a prompt; a program that is too long for it is not asked about.
    """

    def __init__(
        self,
        model: LanguageModel,
        techniques: Mapping[str, Technique],
        *,
        room_tokens: int | None = None,
        deadline_s: float | None = None,
        prices: Prices | None = None,
    ) -> None:
        self._model, self._techniques = model, techniques
        self._room, self._deadline, self._prices = room_tokens, deadline_s, prices

    def choose(self, proposal: Proposal, *, shown: str = "") -> Candidate:
        """What the model chose, as `Candidate.chosen`; empty where it named nothing of what was offered.

        Args:
            proposal: At which program, and what is to be chosen from.
            shown: As `render_choice`'s.

        Raises:
            ModelUnavailable, ModelRefused: As `Proposer.propose`.
        """
        started = time.monotonic()
        prompt = render_choice(proposal, self._techniques, room_tokens=self._room, shown=shown)
        if prompt is None:
            origin = Origin(proposer=NAME, seconds=time.monotonic() - started)
            return _answer(
                proposal, origin, (), "no choice was asked for: the program is too long for the model's context"
            )
        sampling = Sampling(temperature=0.0, max_tokens=LONGEST_REPLY, seed=proposal.seed >> 1)
        try:
            completion = self._model.complete(prompt, sampling, deadline_s=self._deadline)
        except PromptTooLong as error:
            origin = Origin(proposer=NAME, seconds=time.monotonic() - started, prompt_hash=prompt.content_hash)
            return _answer(proposal, origin, (), str(error))
        usage, told = charged(prompt, completion, sampling, self._prices)
        chosen = read_choice(completion.text, proposal.choices, self._techniques)
        origin = Origin(
            proposer=NAME,
            seconds=time.monotonic() - started,
            prompt_hash=prompt.content_hash,
            prompt=prompt.text,
            completion=completion.text,
            usage=usage,
            requests=(request_record(self._model.name, prompt, sampling, completion, told),),
        )
        reason = f"the model chooses {', '.join(chosen)}" if chosen else "the model chooses none of the techniques"
        return _answer(proposal, origin, chosen, reason)


def _answer(proposal: Proposal, origin: Origin, chosen: tuple[str, ...], reason: str) -> Candidate:
    assert proposal.parent is not None
    parent = proposal.parent.candidate
    return Candidate(
        source=None,
        program_hash=None,
        origin=origin,
        parent=parent.id,
        techniques=parent.techniques,
        no_source=NoSource.SKIPPED,
        reason=reason,
        chosen=chosen,
    )
