"""`regrapht graph`: look into the reasoning graph, rebuild it from the corpus, judge the corpus anew."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, EvaluatorName, Json

app = typer.Typer(help="The reasoning graph: show, stats, build, verify, export.", no_args_is_help=True)
GraphPath = Annotated[Path | None, typer.Option("--graph", help="A graph file; default: the shipped one.")]
Corpus = Annotated[Path, typer.Argument(help="The folder of trajectories.")]


@app.command("show")
def show_command(
    technique: Annotated[str | None, typer.Argument(help="A technique; without it all are listed.")] = None,
    graph: GraphPath = None,
    as_json: Json = False,
) -> None:
    """List the techniques, or show one: its meaning, what follows it, and who showed it."""
    from regrapht.assemble import find_technique, open_graph
    from regrapht.records.encoding import to_plain

    known = open_graph(graph)
    if technique is None:
        rows = [to_plain(t) for t in known.techniques.values()]
        print(
            json.dumps(rows)
            if as_json
            else "\n".join(f"{row['slug']:28} {row['area']:14} {row['title']}" for row in rows)
        )
        return
    slug = find_technique(known, technique)
    entry = known.techniques[slug]
    after = [(edge.target, known.support(edge)) for edge in known.successors(slug)]
    if as_json:
        print(json.dumps({**to_plain(entry), "successors": [{"technique": t, "support": n} for t, n in after]}))
        return
    print(f"{entry.title} ({entry.slug}, {entry.area.value})\n\n{entry.meaning}\n\nApplies when: {entry.condition}\n")
    for target, support in after:
        print(f"  then {target:28} shown by {support}")
    for edge in known.predecessors(slug):
        for exemplar in known.exemplars(edge):
            gained = f"{exemplar.speedup:.2f} x on {exemplar.device}" if exemplar.speedup else "verified, not timed"
            print(f"  exemplar: {exemplar.task_id} ({edge}), {gained}")


@app.command("stats")
def stats_command(graph: GraphPath = None, as_json: Json = False) -> None:
    """Count techniques, transitions, exemplars and trajectories, by family and by source."""
    from regrapht.assemble import open_graph
    from regrapht.graph.stats import stats
    from regrapht.records.encoding import to_plain

    plain = to_plain(stats(open_graph(graph)))
    print(json.dumps(plain) if as_json else "\n".join(f"{name:28} {_short(value)}" for name, value in plain.items()))


@app.command("build")
def build_command(
    corpus: Corpus,
    out: Annotated[Path, typer.Option("--out", help="Where to write the graph.")],
    as_json: Json = False,
) -> None:
    """Build a graph from a corpus whose verdicts are on file. Refuses a step whose verdict does not match its source or task."""
    from regrapht.construct.pipeline import build_graph
    from regrapht.records.encoding import to_plain
    from regrapht.store.graph_files import write_graph_text

    built, report = build_graph(corpus)
    write_graph_text(out, built.to_json())
    plain = {"file": str(out), "hash": built.content_hash, **to_plain(report)}
    print(json.dumps(plain) if as_json else "\n".join(f"{name:28} {_short(value)}" for name, value in plain.items()))


@app.command("verify")
def verify_command(
    corpus: Corpus,
    evaluator: EvaluatorName = None,
    level: Annotated[str, typer.Option("--level", help="screen or full.")] = "full",
    force: Annotated[bool, typer.Option("--force", help="Judge steps again that have a matching verdict.")] = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Judge every step of a corpus and keep the verdicts beside it; goes on where it was interrupted. Exits with 1 if one is refused."""
    from regrapht.assemble import open_evaluator
    from regrapht.construct.verify import verify_corpus
    from regrapht.records.verdict import Level

    def show(step: object) -> None:
        if not as_json:
            print(step, flush=True)

    report = verify_corpus(
        corpus, open_evaluator(evaluator, allow_root=allow_root), level=Level(level), on_step=show, force=force
    )
    if as_json:
        from regrapht.records.encoding import to_plain

        print(json.dumps(to_plain(report)))
    else:
        print(report)
    if report.refused:
        raise typer.Exit(1)


@app.command("export")
def export_command(
    out: Annotated[
        Path,
        typer.Argument(help="The file to write: .dot, .graphml, .json (Cytoscape), .svg, or .jsonl for trajectories."),
    ],
    graph: GraphPath = None,
    corpus: Annotated[Path | None, typer.Option("--corpus", help="The corpus, for trajectories in chat form.")] = None,
) -> None:
    """Write the graph in another form, by the suffix of the file's name."""
    from regrapht.session.graphs import export_graph

    export_graph(out, graph=graph, corpus=corpus)
    print(out)


def _short(value: object) -> str:
    text = json.dumps(value) if isinstance(value, dict | list) else str(value)
    return text if len(text) <= 160 else text[:157] + "..."
