"""`regrapht skill`: what a coding agent should know, put where it looks."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="What a coding agent should know of the judge: show, install.", no_args_is_help=True)


@app.command("show")
def show_command() -> None:
    """Print the page."""
    from regrapht.serve.skill import skill_text

    print(skill_text(), end="")


@app.command("install")
def install_command(
    claude: Annotated[bool, typer.Option("--claude", help="Into .claude/skills of this folder.")] = False,
    codex: Annotated[bool, typer.Option("--codex", help="Into .agents/skills of this folder.")] = False,
    gemini: Annotated[bool, typer.Option("--gemini", help="Into .gemini/skills of this folder.")] = False,
    folder: Annotated[Path | None, typer.Option("--dir", help="Into another folder of skills.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a page with other words.")] = False,
) -> None:
    """Write SKILL.md where an agent looks for it; several agents may be named."""
    from regrapht.errors import ConfigError
    from regrapht.serve.skill import PLACES, install_skill

    wanted = {"claude": claude, "codex": codex, "gemini": gemini}
    folders = [Path(PLACES[name]) for name, asked in wanted.items() if asked] + ([folder] if folder else [])
    if not folders:
        raise ConfigError("for which agent? --claude, --codex, --gemini, or --dir FOLDER")
    for place in folders:
        print(install_skill(place, force=force))
