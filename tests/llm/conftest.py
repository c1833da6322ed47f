import pytest

from regrapht.records.prompt import Message, Prompt, Speaker


@pytest.fixture
def prompt() -> Prompt:
    return Prompt(messages=(Message(speaker=Speaker.USER, text="make it fast"),), template_hash="t")


@pytest.fixture(autouse=True)
def no_key_of_the_machine(monkeypatch):
    for name in ("REGRAPHT_API_KEY", "OPENAI_API_KEY", "REGRAPHT_ALLOW_REMOTE"):
        monkeypatch.delenv(name, raising=False)
