"""`regrapht skill`: what a coding agent should know, put where it looks."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import Json

app = typer.Typer(help="What a coding agent should know of the judge: show, install.", no_args_is_help=True)


@app.command("show")
def show_command(as_json: Json = False) -> None:
    """Print the page."""
    from regrapht.serve.skill import skill_text

    print(json.dumps({"text": skill_text()}) if as_json else skill_text(), end="\n" if as_json else "")


@app.command("install")
def install_command(
    claude: Annotated[bool, typer.Option("--claude", help="Write to .claude/skills in this folder.")] = False,
    codex: Annotated[bool, typer.Option("--codex", help="Write to .agents/skills in this folder.")] = False,
    gemini: Annotated[bool, typer.Option("--gemini", help="Write to .gemini/skills in this folder.")] = False,
    folder: Annotated[Path | None, typer.Option("--dir", help="Write to another folder of skills.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a page that differs.")] = False,
    as_json: Json = False,
) -> None:
    """Write SKILL.md where an agent looks for it; several agents may be named."""
    from regrapht.errors import ConfigError
    from regrapht.serve.skill import PLACES, install_skill

    wanted = {"claude": claude, "codex": codex, "gemini": gemini}
    folders = [Path(PLACES[name]) for name, asked in wanted.items() if asked] + ([folder] if folder else [])
    if not folders:
        raise ConfigError("for which agent? --claude, --codex, --gemini, or --dir FOLDER")
    written = [install_skill(place, force=force) for place in folders]
    if as_json:
        print(json.dumps({"files": [str(path) for path in written]}))
        return
    for path in written:
        print(path)
