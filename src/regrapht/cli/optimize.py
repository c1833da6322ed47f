"""`regrapht optimize PATH`: the main job."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import (
    AllowRemote,
    AllowRoot,
    AllowSerial,
    ChoiceWeight,
    Cluster,
    ClusterKind,
    Define,
    Entries,
    EvaluatorName,
    Every,
    Force,
    Include,
    Json,
    Mend,
    Project,
    Prompts,
    Proved,
    Repair,
    ResidencyName,
    ResultFolder,
    Standard,
    read_architecture,
    read_budget,
    read_cluster,
    read_flags,
    read_level,
    read_residency,
)
from regrapht.errors import ConfigError
from regrapht.records.run import TUNED_SETTINGS, RunOptions

_DEFAULTS = RunOptions()


def optimize_command(
    path: Annotated[Path, typer.Argument(help="A task folder, or a .cpp, .c, .hpp or .cu file, bare or of a project.")],
    entry: Entries = None,
    every: Every = False,
    include: Include = None,
    define: Define = None,
    standard: Standard = None,
    project: Project = None,
    residency: ResidencyName = None,
    python: Annotated[
        bool,
        typer.Option("--python", help="The result can be called from Python, with arrays of NumPy, CuPy or torch."),
    ] = False,
    torch: Annotated[
        bool, typer.Option("--torch", help="The result is also a custom operator of torch; with --python's files.")
    ] = False,
    search: Annotated[
        str,
        typer.Option(
            "--search",
            help="mcgs, greedy-chain; the papers' mcgs-paper, random-walk, fsr; baselines direct, best-of-n, cot, rag, rethink-mcts, "
            "mcts-rag; controls shuffled-graph, method-only, no-prior, no-repair, no-graph, no-hardware.",
        ),
    ] = _DEFAULTS.search,
    proposer: Annotated[
        str,
        typer.Option(
            "--proposer",
            help="transform (no model needed), hybrid (rules and a model) or language_model (the model alone); default: hybrid "
            "with --model, else transform.",
            show_default=False,
        ),
    ] = "",
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="gguf:FILE, ollama:NAME, openai:NAME@URL, hf:FOLDER, scripted:FILE, recorded:FILE, or a name of regrapht.toml.",
        ),
    ] = None,
    evaluator: EvaluatorName = None,
    cluster: Cluster = None,
    cluster_kind: ClusterKind = None,
    level: Annotated[
        str, typer.Option("--level", help="How candidates are judged while searching: screen or full.")
    ] = _DEFAULTS.level.value,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            help=f"Judged candidates, or candidates= proposals= tokens= seconds= usd=; default: {_DEFAULTS.budget.candidates}.",
        ),
    ] = None,
    graph: Annotated[Path | None, typer.Option("--graph", help="A reasoning graph; default: the shipped one.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same run.")] = _DEFAULTS.seed,
    workers: Annotated[
        int, typer.Option("--workers", min=1, help="Candidates written and judged side by side.")
    ] = _DEFAULTS.workers,
    out: ResultFolder = None,
    force: Force = False,
    arch: Annotated[
        str | None,
        typer.Option("--arch", help="GPU architecture, such as sm_90; default: the local GPU's, else sm_80."),
    ] = None,
    hide_family: Annotated[
        bool, typer.Option("--hide-family", help="Hide exemplars of the task's own family.")
    ] = False,
    hide_reference: Annotated[
        bool, typer.Option("--hide-reference", help="Do not show a model the sequential code.")
    ] = False,
    context_tokens: Annotated[
        int | None, typer.Option("--context-tokens", help="The model's context; prompts are cut to fit.")
    ] = None,
    max_tokens: Annotated[int, typer.Option("--max-tokens", help="The model's longest reply.")] = _DEFAULTS.max_tokens,
    reasoning_effort: Annotated[
        str | None, typer.Option("--reasoning-effort", help="For a reasoning model behind openai:, such as low.")
    ] = None,
    mend: Mend = True,
    repair: Repair = True,
    choice_weight: ChoiceWeight = _DEFAULTS.choice_weight,
    prompts: Prompts = None,
    allow_remote: AllowRemote = False,
    tune: Annotated[
        bool, typer.Option("--tune", help="After the search, try the best program's open parameters over the judge.")
    ] = False,
    tune_budget: Annotated[
        int | None,
        typer.Option("--tune-budget", min=1, help=f"Settings that --tune judges; default: {TUNED_SETTINGS}."),
    ] = None,
    proved: Proved = False,
    allow_serial: AllowSerial = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Search for a fast, verified CUDA version of a function."""
    from regrapht.cli.notices import moving
    from regrapht.cli.running import run_to_end
    from regrapht.cli.several import each, entries, folder_for
    from regrapht.llm.configuration import configuration
    from regrapht.session.launch import launch

    if tune_budget is not None and not tune:
        raise ConfigError("--tune-budget goes with --tune")
    known = configuration()
    if model is None and proposer in ("", "hybrid", "language_model"):
        model = known.model
    flags = read_flags(include, define, standard, project)
    names = entries(path, entry, every, flags)
    options = RunOptions(
        flags=flags,
        residency=read_residency(residency),
        bindings=tuple(name for name, asked in (("python", python or torch), ("torch", torch)) if asked),
        search=search,
        proposer=proposer,
        model=model,
        reasoning_effort=reasoning_effort,
        evaluator=read_cluster(evaluator or known.evaluator, cluster, cluster_kind),
        level=read_level(level),
        budget=read_budget(budget or known.budget or str(_DEFAULTS.budget.candidates)),
        graph=graph,
        seed=seed,
        workers=workers,
        out=out,
        architecture=read_architecture(arch),
        hide_family=hide_family,
        hide_reference=hide_reference,
        context_tokens=context_tokens,
        max_tokens=max_tokens,
        mend=mend,
        repair=repair,
        choice_weight=choice_weight,
        prompts=prompts,
        proved=proved,
        tune=(tune_budget or TUNED_SETTINGS) if tune else None,
    )

    def one(name: str | None) -> None:
        folder = folder_for(out, name, len(names) > 1)
        own = replace(options, entry=name, out=folder)
        with moving("preparing"):
            launched = launch(path, own, allow_remote=allow_remote, allow_root=allow_root, force=force)
        run_to_end(launched, out=folder, as_json=as_json, allow_serial=allow_serial)

    each(names, one)
