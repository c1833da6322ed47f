"""What is said before anything is collected."""

import pytest

from regrapht.errors import ConfigError
from regrapht.session.collecting import CollectRequest, collect

TOML = 'schema = 1\nid = "ID"\n'


@pytest.fixture
def ask(tmp_path):
    folder = tmp_path / "tasks"
    folder.mkdir()

    def asked(**fields):
        return collect(CollectRequest(tasks=folder, out=tmp_path / "corpus", **fields))

    return asked


def test_a_folder_without_tasks_is_said(ask):
    with pytest.raises(ConfigError, match=r"holds no task\.toml"):
        ask(writer="transform")


def test_options_that_contradict_each_other(ask, monkeypatch):
    monkeypatch.setattr("regrapht.session.collecting._tasks", lambda folder: [])
    for fields, said in (
        ({"writer": "model"}, "--proposer model needs --model"),
        ({"writer": "folder"}, "--proposer folder needs --replies"),
        ({"writer": "transform", "model": "scripted:x", "labels_by": "none"}, "--model has no meaning"),
        ({"writer": "replay"}, "ReplayProposer"),
    ):
        with pytest.raises(ConfigError, match=said):
            ask(**fields)
