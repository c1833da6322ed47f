import pytest

from regrapht.errors import ConfigError, UnknownName
from regrapht.llm.specs import MODELS, model


def test_kinds():
    assert {"openai", "scripted", "recorded"} <= set(MODELS.names())
    assert model("openai:m@http://127.0.0.1:1/v1").name == "m"


@pytest.mark.parametrize("spec", ["", "openai", "openai:", "m@http://127.0.0.1"])
def test_bad_specs(spec):
    with pytest.raises((ConfigError, UnknownName)):
        model(spec)


def test_an_unknown_kind_is_named():
    with pytest.raises(UnknownName, match="did you mean 'openai'"):
        model("opnai:m@http://127.0.0.1/v1")


def test_a_remote_host_is_refused_unless_allowed(monkeypatch):
    spec = "openai:m@https://api.example.com/v1"
    with pytest.raises(ConfigError, match=r"api\.example\.com"):
        model(spec)
    assert model(spec, allow_remote=True).name == "m"
    monkeypatch.setenv("REGRAPHT_ALLOW_REMOTE", "1")
    assert model(spec).name == "m"
