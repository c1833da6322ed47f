"""The reasoning graph from a corpus: ReGraphT's Algorithm 1 with the verification that its text claims.

Every step's verdict must be on file for exactly its program and its task; then the graph is a function of the files alone, and building it
again anywhere gives the same hash. A step that failed ends its trajectory, and is an outcome of its transition.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory, read_corpus
from regrapht.construct.entering import Entered, add_trajectory, add_unverified
from regrapht.construct.judged_step import judged_steps
from regrapht.construct.new_techniques import corpus_vocabulary
from regrapht.construct.quarantine_list import is_quarantined, read_quarantine
from regrapht.construct.relabel import Match, Relabelled, relabel, under_own_names
from regrapht.errors import UserFixable
from regrapht.graph.ablation import shuffled_order
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.query import method_only
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.graph.vocabulary import Vocabulary, load_vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSettings:
    """The switches of the ablations; the graph that ships is built without any."""

    relabel: bool = True
    """False: every name that an author uses is a technique of its own, unless it is a vocabulary's slug to the letter."""
    verified: bool = True
    """False: every step enters, whatever the judge said; no outcome and no gain."""
    exemplars: bool = True
    """False: techniques, edges, paths and outcomes only."""
    shuffle_seed: int | None = None
    """A seed: the order of techniques is drawn, their frequencies stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What became of a corpus on its way into the graph."""

    tasks: int
    trajectories: int
    steps: int
    verified: int
    """Steps that entered the graph as verified applications."""
    measured: int
    """Of these, steps with a speed-up measured on a GPU."""
    labels: Mapping[str, int]
    """Steps by how they got their label: `exact`, `alias`, `model`, `own`, `unknown`."""
    unknown_labels: Mapping[str, int]
    refused: Mapping[str, int]
    """Steps that ended their trajectory, by the judge's status; `UNSUPPORTED` where no evaluator could judge."""
    after_refused: int
    """Steps behind one of those, which therefore did not count."""
    quarantined: tuple[str, ...]
    """Trajectories that were left out because they are on a quarantine list."""
    by_source: Mapping[str, int]
    """Trajectories by who wrote them."""


def build_graph(
    *corpora: Path, vocabulary: Vocabulary | None = None, settings: BuildSettings | None = None
) -> tuple[TechniqueGraph, BuildReport]:
    """The graph of all verified trajectories in one or more corpus folders, and the report on how it was made.

    The order of the folders does not matter.

    Raises:
        UserFixable: A corpus is malformed, two hold one trajectory, or a step has no verdict for its present text; the message names the
            file and the command.
    """
    chosen = settings or BuildSettings()
    words = corpus_vocabulary(load_vocabulary() if vocabulary is None else vocabulary, corpora)
    taken, left_out = _trajectories(corpora)
    relabelled = [relabel(item.trajectory, words) for _, item in taken]
    if not chosen.relabel:
        words, relabelled = under_own_names([item.trajectory for _, item in taken], words)
    builder = GraphBuilder(words.techniques.values())
    entered = [
        _enter(builder, item, corpus, labels, verified=chosen.verified)
        for (corpus, item), labels in zip(taken, relabelled, strict=True)
    ]
    graph = builder.graph()
    if chosen.shuffle_seed is not None:
        graph = shuffled_order(graph, seed=chosen.shuffle_seed)
    if not chosen.exemplars:
        graph = method_only(graph)
    return graph, _report([item for _, item in taken], relabelled, entered, left_out)


def _trajectories(corpora: Sequence[Path]) -> tuple[list[tuple[Path, CorpusTrajectory]], tuple[str, ...]]:
    """Every trajectory with its corpus, and the provenances of those that are in quarantine."""
    entries = tuple(entry for corpus in corpora for entry in read_quarantine(corpus))
    taken, left_out = [], []
    place_of: dict[str, Path] = {}
    for corpus in corpora:
        for item in read_corpus(corpus):
            if (other := place_of.setdefault(item.provenance, item.folder)) != item.folder:
                raise UserFixable(f"{item.folder} and {other} are both {item.provenance}: rename one of them")
            if is_quarantined(item, entries):
                left_out.append(item.provenance)
            else:
                taken.append((corpus, item))
    return taken, tuple(sorted(left_out))


def _enter(
    builder: GraphBuilder, item: CorpusTrajectory, corpus: Path, labels: Relabelled, *, verified: bool
) -> Entered:
    slugs = [step.technique for step in labels.trajectory.steps]
    if not verified:
        return add_unverified(builder, item, slugs)
    return add_trajectory(builder, item, judged_steps(item, slugs, corpus))


def _report(
    items: Sequence[CorpusTrajectory],
    relabelled: Sequence[Relabelled],
    entered: Sequence[Entered],
    left_out: tuple[str, ...],
) -> BuildReport:
    matched = [
        (step.method, match)
        for labels in relabelled
        for step, match in zip(labels.trajectory.steps, labels.matches, strict=True)
    ]
    labels: Counter[str] = Counter({match.value: 0 for match in Match})
    labels.update(match.value for _, match in matched)
    refused = Counter(one.end.value for one in entered if one.end is not None)
    verified = sum(one.verified for one in entered)
    return BuildReport(
        tasks=len({item.task.id for item in items}),
        trajectories=len(items),
        steps=len(matched),
        verified=verified,
        measured=sum(one.measured for one in entered),
        labels=dict(labels),
        unknown_labels=dict(sorted(Counter(name for name, match in matched if match is Match.UNKNOWN).items())),
        refused=dict(sorted(refused.items())),
        after_refused=len(matched) - verified - sum(refused.values()),
        quarantined=left_out,
        by_source=dict(sorted(Counter(item.trajectory.source for item in items).items())),
    )
