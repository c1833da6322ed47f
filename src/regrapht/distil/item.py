"""One drawn function to its pairs: first programs, techniques by rule, a choice among techniques, repairs of planted faults."""

import random
import re
from collections import Counter
from dataclasses import dataclass, field

from regrapht.distil.asked import Asker, Source
from regrapht.distil.families import LICENCE, Drawn, draw
from regrapht.distil.faults import plant
from regrapht.distil.judged import Bench, modelled_cost
from regrapht.distil.kept_out import KeptOut
from regrapht.distil.pair import Pair
from regrapht.errors import CannotTransform
from regrapht.graph.next_technique import Exponents, NextTechnique
from regrapht.graph.query import Viewer
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.propose.applicability import cannot_apply
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Transition
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Sandbox
from regrapht.search.choice import FEWEST, LISTED
from regrapht.transform import BY_SLUG

GAIN = 1.02
"""How much lower a modelled cost must be to count as a gain."""
CHOOSING = 0.6
"""Share of the functions of which a choice is asked; all that the engine has of the listed techniques is judged there."""
FIRST_ALONE = 0.6
"""Share of the functions with a filled skeleton of which no technique is asked: first programs are what all else rests on."""
REPAIRED = 0.5
"""Share of these of which a repair is asked: their function is prepared already, so that it costs one judgement and no more."""
SILENT = 0.6
"""Share of the choices that come to none which are left out: a model that has seen many says so always."""
_NOTES = re.compile(r"\A((?:#include[^\n]*\n|\n)*)(?://[^\n]*\n)+\n?")


@dataclass
class Made:
    """What an item came to."""

    pairs: list[Pair] = field(default_factory=list)
    preferences: list[Pair] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def add(self, pair: Pair | None) -> None:
        """Keep a pair; one that did not come to be is counted."""
        if pair is None:
            self.left_out["too long, or read as another program"] += 1
        else:
            self.pairs.append(pair)


class Ground:
    """What all items of one process share.

    Args:
        longest: Tokens of prompt and reply together.
    """

    def __init__(
        self, sandbox: Sandbox, graph: TechniqueGraph, kept_out: KeptOut, *, level: Level, longest: int
    ) -> None:
        self.sandbox, self.graph, self.kept_out, self.level, self.longest = sandbox, graph, kept_out, level, longest
        viewer = Viewer(family=None, hide_tasks=frozenset())
        self.next = NextTechnique(graph, viewer, exponents=Exponents(regression=0.0))

    def listed(
        self, program: str, reference: str, techniques: tuple[str, ...], candidate: Candidate
    ) -> tuple[str, ...]:
        """The techniques that a search would offer for a choice, the likeliest first."""
        ranked = self.next.shares(program, reference, techniques)
        return tuple(slug for slug in ranked if not cannot_apply(candidate, slug))[:LISTED]


def pairs_of_drawn(ground: Ground, seed: int, number: int) -> Made:
    """All pairs of the function of that number."""
    drawn = draw(seed, number)
    made = Made()
    if (place := ground.kept_out.near(drawn.task.reference.source.text)) is not None:
        made.left_out[f"near-duplicate of {suite_of(place)}"] += 1
        return made
    _Item(ground, drawn, f"drawn {seed}/{number}", random.Random(f"pairs/{seed}/{number}"), made).run()
    return made


def suite_of(place: str) -> str:
    """The folder that is named in counts: a suite, or the one that was given."""
    for known in ("cudaeval", "cuda-llm-20", "examples"):
        if f"/{known}/" in place or place.startswith(f"{known}/"):
            return known
    return "a folder to keep out"


class _Item:
    def __init__(self, ground: Ground, drawn: Drawn, origin: str, chance: random.Random, made: Made) -> None:
        self.ground, self.drawn, self.chance, self.made = ground, drawn, chance, made
        self.task = drawn.task
        self.bench = Bench(self.task, ground.sandbox, ground.level)
        self.asker = Asker(
            self.task, ground.graph, Source(origin=origin, licence=LICENCE), chance, longest=ground.longest
        )
        self.engine = TransformProposer()

    def run(self) -> None:
        begun = self._begun()
        if begun is not None and self.chance.random() < FIRST_ALONE:
            if self.chance.random() < REPAIRED:
                self._repairs(begun)
            self.made.verdicts.update(self.bench.counts)
            return
        plain = self._plain(alone=begun is None)
        right = [judged for judged in (begun, plain[0] if plain else None) if judged is not None]
        if plain is not None:
            self._techniques(*plain, other=begun)
        for judged in right:
            self._repairs(judged)
        self.made.verdicts.update(self.bench.counts)

    # ---- first programs

    def _begun(self) -> Judged | None:
        """The skeleton with its hole filled, if that is right."""
        found = self.asker.begun(self.drawn.body, self.drawn.outer)
        if found is None:
            return None
        _, program, reply = found
        judged = self.bench.judge(program, ("map_to_threads",))
        if not judged.verdict.passed:
            self.made.left_out[f"first program refused: {judged.verdict.status}"] += 1
            return None
        self.made.pairs += self.asker.initial(program, judged.verdict, reply=reply)
        return judged

    def _plain(self, *, alone: bool) -> tuple[Judged, Candidate] | None:
        """The engine's first program, judged as it is shown, and the engine's own record of it."""
        try:
            candidate = self.engine.plain(self.task)
        except CannotTransform:
            self.made.left_out["functions that the engine refuses"] += 1
            return None
        if candidate.one_thread:
            self.made.left_out["programs of one thread"] += 1
            return None
        judged = self._engines(candidate, None)
        if judged is not None and alone:
            self.made.pairs += self.asker.initial(judged.candidate.source or "", judged.verdict)
        return None if judged is None else (judged, candidate)

    def _engines(self, candidate: Candidate, parent: Judged | None) -> Judged | None:
        """A program of the engine's without its notes, judged; None where it is refused."""
        judged = self.bench.judge(without_notes(candidate.source or ""), candidate.techniques, parent=parent)
        if not judged.verdict.passed:
            self.made.left_out[f"engine's program refused: {judged.verdict.status}"] += 1
            return None
        return judged

    # ---- techniques

    def _techniques(self, plain: Judged, record: Candidate, *, other: Judged | None) -> None:
        """Rules at the plain program, and at the best of what they gave; a choice where many were tried."""
        shown = other if other is not None and self.chance.random() < 0.3 else plain
        candidate = shown.candidate
        listed = self.ground.listed(
            candidate.source or "", self.task.reference.source.text, candidate.techniques, candidate
        )
        offered = [slug for slug in listed if slug in BY_SLUG]
        chooses = len(listed) >= FEWEST and self.chance.random() < CHOOSING
        if not chooses:
            rules = [slug for slug in BY_SLUG if not slug.startswith("map_")]
            offered = self.chance.sample(rules, len(rules))
        tried = self._children(shown, record, offered, most=len(offered) if chooses else 2)
        if chooses and tried:
            self._choice(shown, listed, tried)
        if tried and self.chance.random() < 0.5:
            best = min(tried, key=lambda one: modelled_cost(one[1]) or float("inf"))
            rest = [
                slug for slug in BY_SLUG if slug not in best[1].candidate.techniques and not slug.startswith("map_")
            ]
            self._children(best[1], best[2], self.chance.sample(rest, len(rest)), most=1)

    def _children(
        self, shown: Judged, record: Candidate, slugs: list[str], *, most: int
    ) -> list[tuple[str, Judged, Candidate]]:
        """Up to `most` right programs by one more rule, each with its pair: technique, program as it is shown, the engine's record."""
        found: list[tuple[str, Judged, Candidate]] = []
        parent = Judged(proposal_id=1, candidate=record, verdict=shown.verdict)
        for slug in slugs:
            if len(found) == most:
                break
            proposal = Proposal(id=2, kind=ProposalKind.APPLY, parent=parent, transition=Transition("init", slug))
            child = self.engine.propose(self.task, proposal)
            if child.source is None or (judged := self._engines(child, shown)) is None:
                continue
            found.append((slug, judged, child))
            gain = _modelled(shown, judged)
            self.made.add(self.asker.apply(shown, slug, judged.candidate.source or "", judged.verdict, gain=gain))
        return found

    def _choice(self, shown: Judged, listed: tuple[str, ...], tried: list[tuple[str, Judged, Candidate]]) -> None:
        """The pair of a choice, by modelled costs; and of two right programs the better one, as a preference."""
        before = modelled_cost(shown)
        costs = {slug: cost for slug, judged, _ in tried if (cost := modelled_cost(judged)) is not None}
        if before is None or not costs:
            return
        fit = sorted((slug for slug, cost in costs.items() if cost * GAIN <= before), key=lambda slug: costs[slug])
        if not fit and self.chance.random() < SILENT:
            return
        gain = {"how": "modelled", "times": {slug: round(before / cost, 3) for slug, cost in costs.items()}}
        listed = tuple(self.chance.sample(listed, len(listed))) if self.chance.random() < 0.5 else listed
        self.made.add(self.asker.choose(shown, listed, fit, shown.verdict, gain=gain))

    # ---- repairs

    def _repairs(self, right: Judged) -> None:
        """Pairs of programs with planted faults, told by the judge, and the right program."""
        source = right.candidate.source or ""
        for planted in plant(source, self.chance, self.chance.choice([1, 1, 2])):
            judged = self.bench.judge(planted.text, right.candidate.techniques)
            if judged.verdict.passed or not judged.verdict.feedback.strip():
                self.made.left_out["planted faults that the judge does not see"] += 1
                continue
            pair = self.asker.repair(judged, source, right.verdict, fault=planted.fault)
            self.made.add(pair)


def without_notes(source: str) -> str:
    """The engine's text without the comment in which it says what it did: a model is not taught to say so."""
    return _NOTES.sub(lambda found: found.group(1), source, count=1)


def _modelled(before: Judged, after: Judged) -> dict[str, object]:
    first, second = modelled_cost(before), modelled_cost(after)
    return {} if not first or not second else {"how": "modelled", "times": round(first / second, 3)}
