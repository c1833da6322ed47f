"""`regrapht graph`: look into the reasoning graph, collect and judge trajectories, build, merge, quarantine, compare labels, export."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from regrapht.cli.graph_collect import collect_command
from regrapht.cli.graph_labels import labels_command
from regrapht.cli.options import (
    AllowRoot,
    Cluster,
    ClusterKind,
    EvaluatorName,
    GraphFile,
    Json,
    LevelName,
    read_cluster,
    read_level,
)
from regrapht.errors import ConfigError

app = typer.Typer(
    help="The reasoning graph: show, stats, collect, verify, build, merge, quarantine, labels, export.",
    no_args_is_help=True,
)
app.command("collect")(collect_command)
app.command("labels")(labels_command)
Corpus = Annotated[Path, typer.Argument(help="The folder of trajectories.")]
Out = Annotated[Path, typer.Option("--out", help="Where to write the graph.")]


@app.command("show")
def show_command(
    technique: Annotated[str | None, typer.Argument(help="A technique; without it all are listed.")] = None,
    graph: GraphFile = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw the graph into this file as well.")] = None,
    as_json: Json = False,
) -> None:
    """List the techniques with support, success and gain, or show one: its meaning, what follows it, and who showed it."""
    from regrapht.assemble import open_graph
    from regrapht.graph.stats import technique_figures
    from regrapht.records.encoding import to_plain
    from regrapht.session.graphs import export_graph

    known = open_graph(graph)
    if svg is not None:
        if svg.suffix != ".svg":
            raise ConfigError(f"--svg {svg}: the picture is an .svg file")
        export_graph(svg, graph=graph, corpus=None)
    if technique is None:
        figures = technique_figures(known)
        print(json.dumps(to_plain(figures)) if as_json else _table([to_plain(one) for one in figures]))
        return
    slug = known.resolve(technique)
    entry = known.techniques[slug]
    after = [(edge.target, known.support(edge)) for edge in known.successors(slug)]
    if as_json:
        print(json.dumps({**to_plain(entry), "successors": [{"technique": t, "support": n} for t, n in after]}))
        return
    print(f"{entry.title} ({entry.slug}, {entry.area.value})\n\n{entry.meaning}\n\nApplies when: {entry.condition}\n")
    for target, support in sorted(after, key=lambda pair: (-pair[1], pair[0])):
        print(f"  then {target:28} shown by {support}")
    for edge in known.predecessors(slug):
        for exemplar in known.exemplars(edge):
            gained = f"{exemplar.speedup:.2f} x on {exemplar.device}" if exemplar.speedup else "verified, not timed"
            origin = exemplar.provenance or exemplar.task_id
            print(f"  exemplar: {origin} ({edge}), by {exemplar.source}, {gained}")


@app.command("stats")
def stats_command(
    graph: GraphFile = None,
    convergence: Annotated[
        Path | None,
        typer.Option("--convergence", help="Draw techniques and transitions over trajectories: .svg, .png or .pdf."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Count techniques, transitions, exemplars and trajectories, by family and by source."""
    from regrapht.assemble import open_graph
    from regrapht.graph.stats import stats
    from regrapht.session.graphs import draw_convergence

    if convergence is not None:
        draw_convergence(convergence, graph=graph)
    _print(_plain(stats(open_graph(graph))), as_json=as_json)


@app.command("build")
def build_command(
    corpora: Annotated[list[Path], typer.Argument(help="Folders of trajectories; their order does not matter.")],
    out: Out,
    no_relabel: Annotated[
        bool, typer.Option("--no-relabel", help="Ablation: every name that an author used is a technique of its own.")
    ] = False,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Ablation: take every step, whatever the judge said.")
    ] = False,
    method_only: Annotated[bool, typer.Option("--method-only", help="Ablation: no exemplars.")] = False,
    shuffle_edges: Annotated[
        int | None, typer.Option("--shuffle-edges", help="Control: shuffle the order of techniques by this seed.")
    ] = None,
    keep_apart: Annotated[
        Path | None, typer.Option("--keep-apart", help="Refuse to learn from the tasks in this folder, or near ones.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Build a graph from corpora whose verdicts are on file. Refuses a step whose verdict does not match its source or task."""
    from regrapht.construct.build import BuildSettings
    from regrapht.session.graphs import build

    settings = BuildSettings(
        relabel=not no_relabel, verified=not unverified, exemplars=not method_only, shuffle_seed=shuffle_edges
    )
    built, report = build(corpora, out, settings=settings, held_out=keep_apart)
    _print({"file": str(out), "hash": built.content_hash, **_plain(report)}, as_json=as_json)


@app.command("merge")
def merge_command(
    files: Annotated[list[Path], typer.Argument(help="Graph files; their order does not matter.")],
    out: Out,
    as_json: Json = False,
) -> None:
    """Write the union of graphs. Outcomes add up, so graphs that counted the same attempts must not be merged."""
    from regrapht.session.graphs import merge_files

    merged = merge_files(files, out)
    figures = {"transitions": len(merged.transitions), "trajectories": len(merged.paths)}
    _print({"file": str(out), "hash": merged.content_hash, **figures}, as_json=as_json)


@app.command("quarantine")
def quarantine_command(
    origin: Annotated[str, typer.Argument(help="A run, a task, task/trajectory or run/task/trajectory.")],
    graph: GraphFile = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the graph without it here.")] = None,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", help="Put it on this corpus's list, so that no build brings it back.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the list.")] = "",
    as_json: Json = False,
) -> None:
    """Take out of a graph all that came from one run or trajectory, and list it."""
    from regrapht.session.graphs import quarantine

    removed = quarantine(origin, graph=graph, out=out, corpus=corpus, reason=reason)
    plain = {} if removed is None else _plain(removed)
    if as_json:
        print(json.dumps(plain))
        return
    for exemplar in plain.pop("exemplars", []):
        print(f"taken out: {exemplar}")
    _print({**plain, "listed in": str(corpus) if corpus is not None else "nothing"}, as_json=False)


@app.command("verify")
def verify_command(
    corpus: Corpus = Path("trajectories/written"),
    evaluator: EvaluatorName = None,
    cluster: Cluster = None,
    cluster_kind: ClusterKind = None,
    level: LevelName = "full",
    force: Annotated[bool, typer.Option("--force", help="Judge steps again that have a matching verdict.")] = False,
    sample: Annotated[
        int | None, typer.Option("--sample", min=1, help="Judge so many steps, drawn by --seed, and write nothing.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All steps: the default, for scripts that say it.")] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the sample.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Trajectories at a time.")] = 1,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Judge every step of a corpus and keep the verdicts beside it; goes on where it was interrupted. Exits with 1 if one is refused."""
    from regrapht.errors import ConfigError
    from regrapht.session.graphs import verify

    if sample is not None and (every or force):
        raise ConfigError("--sample judges some steps anew and writes nothing: it goes with neither --all nor --force")

    def show(step: object) -> None:
        if not as_json:
            print(step, flush=True)

    report = verify(
        corpus,
        evaluator=read_cluster(evaluator, cluster, cluster_kind),
        level=read_level(level),
        force=force,
        sample=sample,
        seed=seed,
        jobs=jobs,
        allow_root=allow_root,
        on_step=show,
    )
    print(json.dumps(_plain(report)) if as_json else report)
    if report.refused:
        raise typer.Exit(1)


@app.command("export")
def export_command(
    out: Annotated[
        Path,
        typer.Argument(help="The file to write: .dot, .graphml, .json (Cytoscape), .svg, or .jsonl for trajectories."),
    ],
    graph: GraphFile = None,
    corpus: Annotated[Path | None, typer.Option("--corpus", help="The corpus, for trajectories in chat form.")] = None,
    trajectories: Annotated[
        Path | None, typer.Option("--trajectories", help="The corpus, as --corpus; OUT is then a .jsonl file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the graph in another form, by the suffix of the file's name."""
    from regrapht.session.graphs import export_graph

    export_graph(out, graph=graph, corpus=corpus or trajectories)
    print(json.dumps({"file": str(out)}) if as_json else out)


def _plain(record: object) -> dict[str, Any]:
    from regrapht.records.encoding import to_plain

    plain: dict[str, Any] = to_plain(record)
    return plain


def _print(plain: Mapping[str, object], *, as_json: bool) -> None:
    lines = (f"{name:28} {_short(value)}" for name, value in plain.items())
    print(json.dumps(plain) if as_json else "\n".join(lines))


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        f"{'technique':28} {'area':14} {'steps':>5} {'tasks':>5} {'tries':>6} {'right':>6} {'timed':>6} {'gain':>7}"
    ]
    for row in rows:
        right = "-" if row["success"] is None else f"{100 * row['success']:.0f} %"
        gain = "-" if row["gain"] is None else f"{row['gain']:.2f} x"
        counts = f"{row['support']:5} {row['tasks']:5} {row['attempts']:6} {right:>6} {row['measured']:6} {gain:>7}"
        lines.append(f"{row['slug']:28} {row['area']:14} {counts}")
    lines.append(
        "gain: time before / time after on a GPU, geometric mean; first steps, whose time before is a CPU's, left out"
    )
    return "\n".join(lines)


def _short(value: object) -> str:
    text = json.dumps(value) if isinstance(value, dict | list) else str(value)
    return text if len(text) <= 160 else text[:157] + "..."
