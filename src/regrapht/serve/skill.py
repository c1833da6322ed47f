"""The skill for coding agents: one page that says how to work with the judge, put where an agent looks for it."""

from importlib.resources import files
from pathlib import Path

from regrapht.errors import ConfigError

PLACES = {"claude": ".claude/skills", "codex": ".agents/skills", "gemini": ".gemini/skills"}
"""Where each agent looks, below a project's folder."""


def skill_text() -> str:
    """The page, in the form that agents read (a head with name and description, then Markdown)."""
    return (files("regrapht.serve") / "skill.md").read_text(encoding="utf-8")


def install_skill(folder: Path, *, force: bool) -> Path:
    """Write `regrapht/SKILL.md` into a folder of skills; returns the file.

    Raises:
        ConfigError: Another text is there and `force` is not given, or the folder cannot be written.
    """
    file, text = folder / "regrapht" / "SKILL.md", skill_text()
    try:
        if file.exists() and file.read_text(encoding="utf-8", errors="replace") != text and not force:
            raise ConfigError(f"{file} is there already, with other words; --force replaces it")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}; choose another folder with --dir") from error
    return file
