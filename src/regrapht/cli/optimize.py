"""`regrapht optimize PATH`: the main job."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import (
    JUDGE,
    MODEL,
    RESULT,
    SEARCH,
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
    GraphFile,
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
    path: Annotated[Path, typer.Argument(help="A task folder, or a .cpp, .c, .hpp or .cu file.")],
    entry: Entries = None,
    every: Every = False,
    include: Include = None,
    define: Define = None,
    standard: Standard = None,
    project: Project = None,
    residency: ResidencyName = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            rich_help_panel=SEARCH,
            help="Judged candidates, or any of candidates=, proposals=, tokens=, seconds=, usd=, joined by commas; "
            f"default: {_DEFAULTS.budget.candidates}.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", rich_help_panel=SEARCH, help="The same seed gives the same run.")
    ] = _DEFAULTS.seed,
    workers: Annotated[
        int,
        typer.Option("--workers", min=1, rich_help_panel=SEARCH, help="Candidates written and judged side by side."),
    ] = _DEFAULTS.workers,
    search: Annotated[
        str,
        typer.Option(
            "--search",
            rich_help_panel=SEARCH,
            help="mcgs, greedy-chain; the papers' mcgs-paper, random-walk, fsr; baselines direct, best-of-n, cot, rag, rethink-mcts, "
            "mcts-rag; controls shuffled-graph, method-only, no-prior, no-repair, no-graph, no-hardware.",
        ),
    ] = _DEFAULTS.search,
    proposer: Annotated[
        str,
        typer.Option(
            "--proposer",
            rich_help_panel=SEARCH,
            help="Who writes programs: transform (needs no model), hybrid (rules and a model) or language_model (a model alone); "
            "default: hybrid with --model, else transform.",
            show_default=False,
        ),
    ] = "",
    graph: GraphFile = None,
    repair: Repair = True,
    hide_family: Annotated[
        bool,
        typer.Option(
            "--hide-family", rich_help_panel=SEARCH, help="Hide what the graph learnt from the task's own family."
        ),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            rich_help_panel=MODEL,
            help="gguf:FILE, ollama:NAME, openai:NAME@URL, hf:FOLDER, scripted:FILE, recorded:FILE, or a name of regrapht.toml.",
        ),
    ] = None,
    allow_remote: AllowRemote = False,
    context_tokens: Annotated[
        int | None,
        typer.Option(
            "--context-tokens", rich_help_panel=MODEL, help="The model's context; prompts are shortened to fit."
        ),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", rich_help_panel=MODEL, help="The model's longest reply.")
    ] = _DEFAULTS.max_tokens,
    reasoning_effort: Annotated[
        str | None,
        typer.Option(
            "--reasoning-effort", rich_help_panel=MODEL, help="For a reasoning model behind openai:, such as low."
        ),
    ] = None,
    mend: Mend = True,
    choice_weight: ChoiceWeight = _DEFAULTS.choice_weight,
    hide_reference: Annotated[
        bool,
        typer.Option("--hide-reference", rich_help_panel=MODEL, help="Do not show a model the sequential code."),
    ] = False,
    prompts: Prompts = None,
    evaluator: EvaluatorName = None,
    level: Annotated[
        str,
        typer.Option(
            "--level",
            rich_help_panel=JUDGE,
            help="How candidates are judged while searching, screen or full; the best one is always judged in full.",
        ),
    ] = _DEFAULTS.level.value,
    arch: Annotated[
        str | None,
        typer.Option(
            "--arch",
            rich_help_panel=JUDGE,
            help="GPU architecture, such as sm_90; default: the local GPU's, else sm_80.",
        ),
    ] = None,
    cluster: Cluster = None,
    cluster_kind: ClusterKind = None,
    allow_root: AllowRoot = False,
    out: ResultFolder = None,
    force: Force = False,
    python: Annotated[
        bool,
        typer.Option(
            "--python",
            rich_help_panel=RESULT,
            help="Make the result callable from Python, with arrays of NumPy, CuPy or torch.",
        ),
    ] = False,
    torch: Annotated[
        bool,
        typer.Option(
            "--torch", rich_help_panel=RESULT, help="Make it a custom operator of torch too; includes --python."
        ),
    ] = False,
    tune: Annotated[
        bool,
        typer.Option(
            "--tune",
            rich_help_panel=RESULT,
            help="After the search, try other values of the best program's parameters.",
        ),
    ] = False,
    tune_budget: Annotated[
        int | None,
        typer.Option(
            "--tune-budget",
            min=1,
            rich_help_panel=RESULT,
            help=f"Settings that --tune judges; default: {TUNED_SETTINGS}.",
        ),
    ] = None,
    proved: Proved = False,
    allow_serial: AllowSerial = False,
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
