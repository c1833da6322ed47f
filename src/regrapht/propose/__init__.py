"""Proposal to candidate. `PROPOSERS` names the ways that a name is enough to open; `proposer.Proposer` is what every one of them promises.

`replay.ReplayProposer` has no name here: it needs a stored run.
"""

from regrapht.registry import Registry

PROPOSERS = Registry(
    "proposers",
    {
        "transform": "regrapht.propose.transform_engine:TransformProposer",
        "hybrid": "regrapht.propose.hybrid:HybridProposer",
        "language_model": "regrapht.propose.language_model:LanguageModelProposer",
    },
    methods=("propose", "applicable"),
)
