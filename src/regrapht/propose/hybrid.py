"""The transform engine and a language model together: rules where they apply, the model everywhere else.

| asked for                | who writes                                                                                     |
|--------------------------|------------------------------------------------------------------------------------------------|
| a first program          | the engine's plain one at the first attempt, where it can write one; else the model            |
| a technique              | the engine's rule at a program of its own, where it applies; else the model                    |
| a repair                 | of a program of the engine's, its other settings; of any other, what the judge said outright at |
|                          | the first attempt, done by machine; else the model                                             |
| an improvement, a choice | the model                                                                                      |

A graph search asks one of the two by name (`Proposal.asked_of`, `search.two_writers`), and then nobody else writes.
Where the engine has no program, the model is told why when it writes or repairs one (`obstacle`).

Every candidate's origin names who wrote it. What the engine and the hints write costs no tokens; it is judged like all else.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.llm.client import LanguageModel
from regrapht.prompts.templates import using
from regrapht.propose.applicability import is_taken_again
from regrapht.propose.choosing import Chooser
from regrapht.propose.hints import with_hints
from regrapht.propose.language_model import LanguageModelProposer, LanguageModelSettings
from regrapht.propose.obstacle import obstacle
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate, NoSource, Origin, Writer
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import INIT, Transition
from regrapht.source.program_hash import program_hash
from regrapht.transform.verbatim.observations import Observer


class HybridProposer:
    """See the module.

    Args:
        seed: As `TransformProposer`'s.
    """

    name = "hybrid"
    chooses = True
    """It serves proposals of the kind CHOOSE."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        graph: TechniqueGraph | None = None,
        settings: LanguageModelSettings | None = None,
        seed: int = 0,
        observer: Observer | None = None,
        proved: bool = False,
    ) -> None:
        settings = settings or LanguageModelSettings()
        self._engine = TransformProposer(seed=seed, observer=observer, proved=proved)
        self._model = LanguageModelProposer(model, graph=graph, settings=settings)
        self._prompts = settings.prompts
        self._obstacles: dict[str, str] = {}
        self._made: dict[tuple[object, ...], Candidate] = {}
        """Programs of the engine's by what was asked, that a search has been told of and not asked for yet."""
        self._applies: dict[tuple[str, str], bool | None] = {}
        context = settings.context_tokens
        self._chooser = Chooser(
            model,
            graph.techniques if graph is not None else {},
            room_tokens=None if context is None else context - settings.max_tokens,
            deadline_s=settings.deadline_s,
            prices=settings.prices,
        )

    def propose(self, task: Task, proposal: Proposal) -> Candidate:
        """The program asked for, or a candidate without source that says why there is none.

        Raises:
            ConfigError, ModelUnavailable, ModelRefused: As `LanguageModelProposer.propose`; never for what the engine can write.
        """
        if proposal.kind is ProposalKind.CHOOSE:
            with using(self._prompts):
                shown = self._model.read_before_technique(task, _first_of(proposal))
                return self._chooser.choose(proposal, shown=shown)
        if proposal.asked_of is Writer.RULE:
            return self._made.pop(_request(proposal), None) or self._engine.propose(task, proposal)
        for write in self._without_request(proposal):
            if (candidate := write(task, proposal)) is not None:
                return candidate
        told = proposal.kind in (ProposalKind.INITIAL, ProposalKind.REPAIR)
        candidate = self._model.propose(task, proposal, obstacle=self._obstacle(task) if told else "")
        return (
            replace(candidate, no_source=NoSource.NO_PROGRAM)
            if candidate.no_source is NoSource.UNPARSABLE
            else candidate
        )

    def _obstacle(self, task: Task) -> str:
        """Why the engine has no program of the task; empty where it has one."""
        key = task.content_hash
        if key not in self._obstacles:
            try:
                self._engine.plain(task)
                self._obstacles[key] = ""
            except CannotTransform as error:
                self._obstacles[key] = obstacle(task, error)
        return self._obstacles[key]

    def applicable(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """True where a rule of the engine applies, else as `LanguageModelProposer.applicable`; a model is not asked for what is there."""
        if self.rule_applies(task, candidate, transition):
            return True
        if is_taken_again(candidate, transition.target):
            return False
        return self._model.applicable(task, candidate, transition)

    def rule_applies(self, task: Task, candidate: Candidate, transition: Transition) -> bool | None:
        """Whether a rule of the engine applies the technique to the candidate; None where there is no rule that could tell: none of that
        name, a program of the model's, or one whose bodies are kept as written, which the engine does not look into.
        """
        if not _is_engines(candidate):
            return None
        key = candidate.id, transition.target
        if key not in self._applies:
            applies = self._engine.applicable(task, candidate, transition)
            self._applies[key] = applies or (False if self._engine.looks_into(candidate, transition.target) else None)
        return self._applies[key]

    def rule_serves(self, task: Task, proposal: Proposal) -> bool:
        """Whether the engine has a program for the proposal, which is kept until it is asked for."""
        candidate = self._by_engine(task, proposal)
        if candidate is not None:
            self._made[_request(proposal)] = candidate
        return candidate is not None

    def serves(self, task: Task, proposal: Proposal) -> bool:
        """Whether the engine, the hints or the model may serve it; a choice of techniques where the model can be asked for one of them."""
        parent = proposal.parent
        if parent is None:
            return True
        if proposal.kind is ProposalKind.CHOOSE:
            return self._model.serves(task, _first_of(proposal))
        if _is_engines(parent.candidate) and self._may_rule(task, proposal):
            return True
        by_hints = _by_hints in self._without_request(proposal) and _by_hints(task, proposal) is not None
        return by_hints or self._model.serves(task, proposal)

    def _may_rule(self, task: Task, proposal: Proposal) -> bool:
        """Whether the engine may change a program of its own as asked."""
        parent, transition = proposal.parent, proposal.transition
        if proposal.kind is ProposalKind.APPLY and parent is not None and transition is not None:
            return bool(self.rule_applies(task, parent.candidate, transition))
        return proposal.kind is ProposalKind.REPAIR

    def doing(self) -> str:
        """As `LanguageModelProposer.doing`."""
        return self._model.doing()

    def close(self) -> None:
        """As `LanguageModelProposer.close`."""
        self._model.close()

    def _without_request(self, proposal: Proposal) -> list[Callable[[Task, Proposal], Candidate | None]]:
        """Who may serve the proposal before the model is asked, in order."""
        parent, first = proposal.parent, proposal.attempt == 0
        if parent is None:
            return [self._by_engine] if first and proposal.asked_of is None else []
        if _is_engines(parent.candidate):
            return [self._by_engine] if proposal.kind in (ProposalKind.APPLY, ProposalKind.REPAIR) else []
        return [_by_hints] if proposal.kind is ProposalKind.REPAIR and first else []

    def _by_engine(self, task: Task, proposal: Proposal) -> Candidate | None:
        try:
            candidate = self._engine.propose(task, proposal)
        except CannotTransform:
            return None
        return candidate if candidate.source is not None else None


def _first_of(choice: Proposal) -> Proposal:
    """The proposal of the first technique that a choice offers."""
    return replace(choice, kind=ProposalKind.APPLY, transition=Transition(INIT, choice.choices[0]), choices=())


def _request(proposal: Proposal) -> tuple[object, ...]:
    """What the engine's answer depends on."""
    parent = proposal.parent.candidate.id if proposal.parent is not None else None
    return proposal.kind, parent, proposal.transition, proposal.attempt


def _is_engines(candidate: Candidate) -> bool:
    return candidate.origin.decisions is not None


def _by_hints(task: Task, proposal: Proposal) -> Candidate | None:
    started = time.monotonic()
    assert proposal.parent is not None
    parent = proposal.parent.candidate
    mended = with_hints(parent.source or "", proposal.parent.verdict, task)
    if mended is None or program_hash(mended) == parent.program_hash:
        return None
    return Candidate(
        source=mended,
        program_hash=program_hash(mended),
        origin=Origin(proposer=Writer.HINT.value, seconds=time.monotonic() - started),
        parent=parent.id,
        transition=proposal.transition,
        techniques=parent.techniques,
        explanation="what the judge said would mend the program, done by machine",
    )
