"""The interface of every search: ask for a proposal, be told what became of it.

`ask` and `tell` run on one thread. The same tells give the same asks: seeds are arguments, clocks are not read.
"""

from typing import Protocol

from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.verdict import Verdict


class Search(Protocol):
    """Chooses what to try next; knows the graph and records, nothing else."""

    name: str

    def ask(self) -> Proposal | Wait | None:
        """The next proposal; `Wait` only while another one is out; None when the search is finished."""
        ...

    def tell(self, proposal: Proposal, candidate: Candidate, verdict: Verdict) -> None:
        """Take in the answer to a proposal. Each proposal is told or abandoned once."""
        ...

    def abandon(self, proposal: Proposal) -> None:
        """The machine's fault: budget and virtual loss come back, nothing is learnt."""
        ...

    def best(self) -> Judged | None:
        """The best so far: passed, then reward, then fewer steps. None when nothing passed."""
        ...
