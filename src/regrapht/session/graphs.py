"""The reasoning graph for a person: building, merging, verifying and exporting it, as the command line does."""

from collections.abc import Callable, Sequence
from pathlib import Path

from regrapht.assemble import open_evaluator, open_graph
from regrapht.construct.build import BuildReport, BuildSettings, build_graph
from regrapht.construct.contamination import refuse_contamination
from regrapht.construct.corpus import read_corpus
from regrapht.construct.quarantine_list import add_to_quarantine
from regrapht.construct.verify import StepJudge, VerifiedStep, VerifyReport, verify_corpus, verify_sample
from regrapht.errors import ConfigError
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.evaluator import Evaluator
from regrapht.graph.export import export
from regrapht.graph.merge import merge
from regrapht.graph.quarantine import Removed, quarantined
from regrapht.graph.stats import stats
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.candidate import Candidate
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.report.curves import convergence_svg
from regrapht.report.figure import Figure
from regrapht.store.graph_files import write_graph_text


class JudgedAnew:
    """An evaluator that is asked again for what it judged before; its cache gets the new verdict."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.name = evaluator.name
        self._evaluator = evaluator

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """A new verdict."""
        if isinstance(self._evaluator, CachedEvaluator):
            return self._evaluator.evaluate_anew(task, candidate, level=level)
        return self._evaluator.evaluate(task, candidate, level=level)


def build(
    corpora: Sequence[Path], out: Path, *, settings: BuildSettings, held_out: Path | None = None
) -> tuple[TechniqueGraph, BuildReport]:
    """Build a graph from corpora and write it to `out`; nothing is written when anything is wrong.

    Raises:
        UserFixable: As `build_graph`; or a corpus holds a task of the folder `held_out`.
        StoreUnavailable: The file cannot be written.
    """
    if held_out is not None:
        refuse_contamination([item for corpus in corpora for item in read_corpus(corpus)], held_out)
    graph, report = build_graph(*corpora, settings=settings)
    write_graph_text(out, graph.to_json())
    return graph, report


def merge_files(files: Sequence[Path], out: Path) -> TechniqueGraph:
    """The union of graph files, written to `out`; their order does not matter.

    Raises:
        ConfigError: A file is missing.
        SchemaError: A file is damaged, or two define a technique differently.
        StoreUnavailable: The file cannot be written.
    """
    merged = merge(open_graph(file) for file in files)
    write_graph_text(out, merged.to_json())
    return merged


def quarantine(
    origin: str, *, graph: Path | None, out: Path | None, corpus: Path | None, reason: str
) -> Removed | None:
    """Take all that came from `origin` out of a graph file, and put it on a corpus's list, so that no build brings it back.

    Returns what was taken out of the graph; None where only the corpus was named.

    Raises:
        ConfigError: Nothing in the graph comes from there, or neither a graph nor a corpus is named.
        SchemaError: The graph or the list is damaged.
        StoreUnavailable: A file cannot be written.
    """
    if out is None and corpus is None:
        raise ConfigError("say what to take it out of: --corpus FOLDER, or --out FILE for a graph without it, or both")
    origin = origin.strip("/ \n")
    if not origin or "#" in origin or "\n" in origin:
        raise ConfigError(f"{origin!r:.80} is not a run, task/trajectory or run/task/trajectory")
    removed = None
    if out is not None:
        rest, removed = quarantined(open_graph(graph), origin)
        write_graph_text(out, rest.to_json())
    if corpus is not None:
        if not corpus.is_dir():
            raise ConfigError(f"there is no corpus {corpus}")
        add_to_quarantine(corpus, origin, reason=reason)
    return removed


def verify(
    corpus: Path,
    *,
    evaluator: str | None,
    level: Level,
    force: bool,
    sample: int | None,
    seed: int,
    jobs: int,
    allow_root: bool,
    on_step: Callable[[VerifiedStep], None],
) -> VerifyReport:
    """Judge a corpus, or with `sample` some of its steps. With `force` or `sample` no verdict comes out of a cache.

    Raises:
        As `verify_corpus` and `open_evaluator`.
    """
    opened = open_evaluator(evaluator, allow_root=allow_root)
    judge: StepJudge = JudgedAnew(opened) if force or sample is not None else opened
    if sample is not None:
        return verify_sample(corpus, judge, level=level, count=sample, seed=seed, on_step=on_step)
    return verify_corpus(corpus, judge, level=level, on_step=on_step, force=force, jobs=jobs)


def export_graph(out: Path, *, graph: Path | None, corpus: Path | None) -> None:
    """Write `out` in the form that its suffix names: `.dot`, `.graphml`, `.json` (Cytoscape), `.svg`, or `.jsonl` for trajectories.

    Raises:
        ConfigError: The suffix is unknown, `.jsonl` lacks a corpus or another form has one, or the file cannot be written.
    """
    if out.suffix == ".jsonl":
        if corpus is None:
            raise ConfigError("trajectories come from the corpus: add --corpus FOLDER")
        from regrapht.construct.export_trajectories import export_trajectories

        text = export_trajectories(corpus)
    elif corpus is not None:
        raise ConfigError(f"a corpus gives trajectories, which are a .jsonl file and not {out.name}")
    else:
        text = export(open_graph(graph), out.suffix)
    _write(out, text)


def draw_convergence(out: Path, *, graph: Path | None) -> None:
    """Write the convergence of a graph as a figure.

    Raises:
        ConfigError, PrerequisiteMissing: As `Figure.save`.
    """
    Figure(convergence_svg(stats(open_graph(graph)).convergence)).save(out)


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from error
