"""The study of the graph: convergence, how surely steps are labelled, and the variants without relabelling and without verification.

    python benchmarks/graph_study.py [--corpus trajectories/written] [--model SPEC]

Labels: 100 steps of the corpus carry a second label in `data/second_labels.tsv`, given from the words of `detail` alone, without a look at
the first. Their agreement (Cohen's kappa) says how far apart careful labellers are, and so what a model's labels can be expected to reach.
With `--model` that model labels the same steps, from all their words but the technique's name. Prints one JSON line a result.
"""

import argparse
import json
import sys
from pathlib import Path

from regrapht.construct.build import BuildSettings, build_graph
from regrapht.construct.corpus import read_corpus
from regrapht.construct.label_agreement import Agreement, agreement, blind_labels
from regrapht.graph.stats import stats
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.llm.specs import model
from regrapht.records.trajectory import Step

LABELS = Path(__file__).parent / "data" / "second_labels.tsv"
VARIANTS = {
    "as shipped": BuildSettings(),
    "no relabelling": BuildSettings(relabel=False),
    "unverified": BuildSettings(verified=False),
    "method only": BuildSettings(exemplars=False),
    "shuffled order": BuildSettings(shuffle_seed=1),
}


def second_labels() -> dict[str, str]:
    """The second label of each step of the sample."""
    lines = [line for line in LABELS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return dict(line.split("\t") for line in lines)


def printed(what: str, found: Agreement) -> None:
    """One line: share, kappa and which labels are taken for which."""
    confused = {f"{a} / {b}": n for (a, b), n in list(found.confused.items())[:30]}
    kappa = None if found.kappa is None else round(found.kappa, 3)
    line = {
        "labels": what,
        "steps": found.steps,
        "agreement": round(found.share, 3),
        "kappa": kappa,
        "confused": confused,
    }
    print(json.dumps(line), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=Path("trajectories/written"))
    parser.add_argument("--model", help="a model to label the sample, such as openai:NAME@URL")
    chosen = parser.parse_args()
    words = load_vocabulary()
    steps: dict[str, Step] = {
        f"{item.task.id}/{item.name}/{number}": step
        for item in read_corpus(chosen.corpus)
        for number, step in enumerate(item.trajectory.steps, start=1)
    }
    second = {key: label for key, label in second_labels().items() if key in steps}
    first = [words.resolve(steps[key].method) for key in second]
    printed("author and second", agreement(first, list(second.values())))
    if chosen.model:
        given = blind_labels([steps[key] for key in second], model(chosen.model), words).slugs
        printed(f"author and {chosen.model}", agreement(first, given))
        printed(f"second and {chosen.model}", agreement(list(second.values()), given))
    for name, settings in VARIANTS.items():
        graph, report = build_graph(chosen.corpus, settings=settings)
        figures = stats(graph)
        line = {"variant": name, "hash": graph.content_hash, "verified": report.verified, "measured": report.measured}
        line |= {"techniques": figures.techniques_used, "transitions": figures.transitions, "labels": report.labels}
        print(json.dumps(line), flush=True)
    for point in stats(build_graph(chosen.corpus)[0]).convergence:
        print(
            json.dumps(
                {"trajectories": point.trajectories, "techniques": point.techniques, "transitions": point.transitions}
            )
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
