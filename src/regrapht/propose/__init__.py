"""Proposal to candidate. `PROPOSERS` names the ways; `proposer.Proposer` is what every one of them promises."""

from regrapht.registry import Registry

PROPOSERS = Registry(
    "proposers",
    {
        "transform": "regrapht.propose.transform.proposer:TransformProposer",
        "language_model": "regrapht.propose.language_model:LanguageModelProposer",
        "replay": "regrapht.propose.replay:ReplayProposer",
    },
)
