"""What the overviews say: help and docs name the commands that there are, in one order or another, and no other."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from regrapht.cli.main import app

DOCS = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"
ROOT = typer.main.get_command(app)


def groups(group: TyperGroup, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], TyperGroup]]:
    """Every group of commands below `group`, with the words that lead to it."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield (*path, name), command
            yield from groups(command, (*path, name))


def documented() -> dict[str, set[str]]:
    """Command -> its sub-commands in the table of docs/command-line.md; none for a command without."""
    found = {}
    for row in re.findall(r"^\| `regrapht ([^`]+)`", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE):
        name, _, rest = row.partition(" ")
        ways = [way.split() for way in rest.split(r"\|")]
        found[name] = found.get(name, set()) | {way[0] for way in ways if way and way[0].islower()}
    return found


@pytest.mark.parametrize(("path", "group"), [pytest.param(*one, id=" ".join(one[0])) for one in groups(ROOT)])
def test_the_help_of_a_group_names_its_commands(path, group):
    listed = re.findall(r"[a-z-]+", group.help.rpartition(":")[2])
    assert sorted(listed) == sorted(group.commands), f"regrapht {' '.join(path)} --help"


def test_the_table_of_the_docs_names_every_command():
    there = {name: set(getattr(command, "commands", ())) for name, command in ROOT.commands.items()}
    assert documented() == there


@pytest.mark.parametrize("path", [(), *(path for path, _ in groups(ROOT))], ids=" ".join)
def test_an_overview_has_every_summary_whole(path, capsys):
    with pytest.raises(SystemExit):
        app([*path, "--help"], prog_name="regrapht")
    told = " ".join(capsys.readouterr().out.split())
    group = ROOT
    for name in path:
        group = group.commands[name]
    wholes = {name: " ".join(command.help.partition("\n\n")[0].split()) for name, command in group.commands.items()}
    assert [name for name, whole in wholes.items() if f"{name} {whole.partition('. ')[0].strip('.')}" not in told] == []


def test_help_loads_nothing_heavy(cli):
    import subprocess
    import sys

    code = (
        "import sys; sys.argv = ['regrapht', '--help']\n"
        "from regrapht.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numpy', 'islpy', 'openai', 'tree_sitter', 'jinja2', 'sqlite3', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=cli.environment)
    assert done.stdout.splitlines()[-1] == "[]"
