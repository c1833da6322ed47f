"""Techniques that a model said do not apply, carried on to the programs that were made from the one it was asked at.

Only what is not known is carried: where the proposer can tell that a technique applies, as rules can, it is asked for.
"""

from regrapht.records.candidate import Writer
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status
from regrapht.search.accounting import WITHHELD
from regrapht.search.actions import last_technique
from regrapht.search.context import SearchContext
from regrapht.search.statistics import Node


def is_refusal(proposal: Proposal, judged: Judged) -> bool:
    """Whether the answer says that the technique does not apply, rather than that further tries at it ran out or that nobody was asked."""
    origin = judged.candidate.origin
    never_sent = origin.prompt_hash is not None and origin.usage is None  # too long for the model's context
    was_asked = origin.proposer != WITHHELD and not never_sent
    asked = proposal.kind is ProposalKind.APPLY and proposal.attempt == 0 and was_asked
    by_model = judged.candidate.writer not in (Writer.ENGINE, Writer.RULE)
    return asked and by_model and judged.verdict.status is Status.SKIPPED


def carry(context: SearchContext, node: Node, technique: str) -> None:
    """Note the refusal at a program, and take the technique off the offers of those below it that were looked at."""
    node.refused.add(technique)
    waiting, seen = [child for edge in node.edges for child in edge.children], {node}
    while waiting:
        below = waiting.pop()
        if below in seen:
            continue
        seen.add(below)
        if below.offer is not None and below.judged is not None:
            candidate = below.judged.candidate
            transition = Transition(last_technique(context, candidate), technique)
            if context.applicable is None or not context.applicable(candidate, transition):
                below.offer.withdraw(technique)
        waiting.extend(child for edge in below.edges for child in edge.children)


def refused_above(node: Node) -> set[str]:
    """What was refused at the program or at one that it was made from."""
    refused: set[str] = set()
    waiting, seen = [node], {node}
    while waiting:
        above = waiting.pop()
        refused |= above.refused
        for edge in above.parents:
            if edge.source not in seen:
                seen.add(edge.source)
                waiting.append(edge.source)
    return refused
