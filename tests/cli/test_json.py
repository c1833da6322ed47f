"""JSON everywhere: every command takes it, and what is wrong is an object too, for every kind of mistake."""

import json

import pytest
import typer

from regrapht.cli.main import app
from regrapht.errors import CannotTransform, EvaluatorUnavailable, InvalidTask, ModelRefused, TaskError, as_plain

WITHOUT = {"serve", "mcp", "view", "judge-stdio", "distil export"}
"""Servers, which print no result, and what prints its progress and leaves files."""


def commands(command, path=()):
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from commands(inner, (*path, name))
    else:
        yield " ".join(path), {option for parameter in command.params for option in getattr(parameter, "opts", ())}


def test_every_command_takes_json():
    assert {name for name, options in commands(typer.main.get_command(app)) if "--json" not in options} == WITHOUT


@pytest.mark.parametrize(
    "words, kind, told",
    [
        (("optimize", "none.cpp"), "ConfigError", "there is no none.cpp"),
        (("optimize",), "UsageError", "Missing argument"),
        (("optimize", "x.cpp", "--serch", "mcgs"), "UsageError", "--serch"),
        (("nothing",), "UsageError", "nothing"),
        (("check", "none", "a.cu"), "ConfigError", "there is no none"),
        (("runs", "show", "zzz"), "UnknownName", "there is no run 'zzz'"),
        (("bench", "run", "nowhere", "--method", "mcgs", "--out", "o"), "UnknownName", "nowhere"),
        (("graph", "show", "no-such-technique"), "UnknownName", "no technique called"),
        (("new", "search", "No"), "ConfigError", "cannot be a module"),
    ],
)
def test_what_is_wrong_is_an_object(cli, words, kind, told):
    done = cli(*words, "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 2 and error.keys() == {"kind", "message", "remedy"} and all(error.values())
    assert error["kind"] == kind and told in error["message"] and error["message"] in done.stderr


@pytest.mark.parametrize(
    "error, remedy",
    [
        (TaskError("m", file="task.toml", remedy="write it"), "write it"),
        (CannotTransform("m", line=3, remedy="unroll it"), "unroll it"),
        (EvaluatorUnavailable("m"), "ask again once"),
        (ModelRefused("m"), "provider"),
        (InvalidTask("m"), "the message says"),
        (ZeroDivisionError("m"), "report it"),
    ],
)
def test_remedies_by_kind(error, remedy):
    plain = as_plain(error)
    assert remedy in plain["remedy"] and "m" in plain["message"]


def test_brief_answers(cli, saxpy):
    (cli.folder / "a.cu").write_text("int x;")
    words = ("check", "saxpy", "a.cu", "--level", "screen", "--brief")
    text, plain = cli(*words), json.loads(cli(*words, "--json").stdout)
    assert text.returncode == 1 and len(text.stdout.splitlines()) <= 3 and "does not define saxpy" in text.stdout
    assert plain["outcome"] == "refused" and "does not define saxpy" in plain["reason"]
