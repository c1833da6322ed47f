"""`regrapht models`: which models this machine has, tried."""

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRemote, Json

if TYPE_CHECKING:
    from regrapht.session.models import ModelReport


def models_command(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="GGUF files, specs such as ollama:NAME, or names of regrapht.toml; without any, all that are found.",
        ),
    ] = None,
    only_list: Annotated[bool, typer.Option("--list", help="List them without asking any.")] = False,
    allow_remote: AllowRemote = False,
    as_json: Json = False,
) -> None:
    """Find the models on this machine, and try each with one question and one small task. Nothing is downloaded.

    Exits with 0 when one works, else 3.
    """
    from regrapht.session.models import examine, find

    found = find(named or ())
    reports: list[ModelReport] = []
    for report in examine(found.specs, ask=not only_list, allow_remote=allow_remote):
        reports.append(report)
        if not as_json:
            print(_line(report, asked=not only_list), flush=True)
    if as_json:
        print(json.dumps({"models": list(map(asdict, reports)), "troubles": found.troubles, "silent": found.silent}))
    else:
        for trouble in found.troubles:
            print(trouble)
        if found.silent:
            print(f"nothing answers at: {', '.join(found.silent)}")
        if not found.specs:
            print(
                "No model was found: give a GGUF file (regrapht models FILE.gguf), or start a server.", file=sys.stderr
            )
    if not any(not report.trouble for report in reports):
        raise typer.Exit(3)


def _line(report: "ModelReport", *, asked: bool) -> str:
    if report.trouble:
        return f"{report.spec}: {report.trouble}"
    words = [f"context {report.context_tokens}" if report.context_tokens is not None else "context not told"]
    if asked:
        speed = f"{report.tokens_per_s:.1f} tokens a second" if report.tokens_per_s is not None else "tokens not told"
        words.insert(0, speed)
        words.append("question right" if report.knows_keyword else "question wrong")
        words.append("writes a program" if report.wrote_program else "writes no program")
        words.append(f"cost {report.cost_usd:.6f} USD" if report.cost_usd is not None else "no price configured")
    begins = {True: "replies can be begun", False: "replies cannot be begun", None: "begun replies not tried"}
    words.append(begins[report.begins_replies])
    return f"{report.spec}: {', '.join(words)}"
