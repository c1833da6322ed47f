import json

import pytest

from regrapht.errors import ConfigError, ModelRefused
from regrapht.llm.client import ModelOptions
from regrapht.llm.scripted import open_script
from regrapht.records.prompt import Finish, Sampling


def test_replies_of_a_json_file_in_order(tmp_path, prompt):
    file = tmp_path / "replies.json"
    file.write_text(json.dumps(["one", "two"]))
    model = open_script(str(file), ModelOptions())
    assert model.availability().available
    first, second = model.complete(prompt, Sampling()), model.complete(prompt, Sampling())
    assert (first.text, second.text, first.finish) == ("one", "two", Finish.STOP)
    with pytest.raises(ModelRefused, match="2 replies and this is request 3"):
        model.complete(prompt, Sampling())


def test_replies_of_a_text_file(tmp_path, prompt):
    file = tmp_path / "replies.md"
    file.write_text("=== reply ===\nfirst\n```cuda\nx\n```\n=== reply ===\nsecond\n")
    model = open_script(str(file), ModelOptions())
    assert [model.complete(prompt, Sampling()).text for _ in range(2)] == ["first\n```cuda\nx\n```\n", "second\n"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "{}"),
        ("a.json", "[]"),
        ("a.json", "[1]"),
        ("a.json", "["),
        ("a.txt", " \n"),
        ("a.json", "[" * 99_999),
    ],
)
def test_bad_scripts(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match="scripted"):
        open_script(str(tmp_path / name), ModelOptions())


def test_a_missing_script(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.json"):
        open_script(str(tmp_path / "none.json"), ModelOptions())
