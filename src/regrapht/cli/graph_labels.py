"""`regrapht graph labels`: a model labels a corpus's steps without seeing their labels, and what it takes for what."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRemote, Json


def labels_command(
    corpus: Annotated[Path, typer.Argument(help="The folder of trajectories.")],
    model: Annotated[str, typer.Option("--model", help="openai:NAME@URL, scripted:FILE, recorded:FILE.")],
    sample: Annotated[int, typer.Option("--sample", min=1, help="Steps to label, drawn by lot.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Of the steps that are drawn.")] = 1,
    record: Annotated[
        Path | None, typer.Option("--record", help="Write the model's replies down for recorded:FILE.")
    ] = None,
    allow_remote: AllowRemote = False,
    as_json: Json = False,
) -> None:
    """Compare a model's labels with the corpus's: agreement beyond chance, and the confusion. Nothing is changed."""
    import random

    from regrapht.construct.corpus import read_corpus
    from regrapht.construct.label_agreement import agreement, blind_labels
    from regrapht.construct.relabel import relabel
    from regrapht.errors import ConfigError
    from regrapht.graph.vocabulary import load_vocabulary
    from regrapht.llm import specs

    vocabulary = load_vocabulary()
    read = (relabel(item.trajectory, vocabulary).trajectory for item in read_corpus(corpus))
    steps = [step for trajectory in read for step in trajectory.steps if step.technique is not None]
    if not steps:
        raise ConfigError(f"{corpus} holds no step whose technique the vocabulary knows")
    drawn = random.Random(seed).sample(steps, min(sample, len(steps)))
    given = blind_labels(drawn, specs.model(model, allow_remote=allow_remote, record_to=record), vocabulary)
    found = agreement([step.technique for step in drawn], given.slugs)
    kappa = None if found.kappa is None else round(found.kappa, 3)
    confused = [{"corpus": a, "model": b, "steps": n} for (a, b), n in found.confused.items()]
    if as_json:
        by_technique = {slug: {"steps": n, "agreed": same} for slug, (n, same) in found.by_technique.items()}
        plain = {"steps": found.steps, "agreed": found.agreed, "kappa": kappa, "answers": given.kinds}
        print(json.dumps({**plain, "confused": confused, "by_technique": by_technique}))
        return
    print(f"{found.agreed} of {found.steps} steps labelled alike, kappa {'undefined' if kappa is None else kappa}")
    print("answers: " + ", ".join(f"{kind} {number}" for kind, number in given.kinds.items()))
    for one in confused:
        print(f"  {one['corpus']:28} taken for {one['model']:28} {one['steps']}")
