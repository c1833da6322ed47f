"""`regrapht.toml`: what it says, and one line for what makes no sense."""

import pytest

from regrapht.errors import ConfigError
from regrapht.llm import specs
from regrapht.llm.client import ModelOptions
from regrapht.llm.configuration import configuration
from regrapht.llm.prices import Prices
from regrapht.records.candidate import TokenUsage

WHOLE = """
model = "fast"
budget = 12
[models.fast]
spec = "openai:small@http://127.0.0.1:9/v1"
context_tokens = 8192
reasoning_effort = "low"
[prices.small]
input = 1
output = 4.0
cached = 0.5
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    return tmp_path


def test_nothing_is_configured_at_first(folder):
    assert configuration().model is None and not configuration().models
    assert specs.prices("openai:small@http://127.0.0.1:9/v1") is None


def test_what_a_file_says(folder):
    (folder / "regrapht.toml").write_text(WHOLE)
    known = configuration()
    assert (known.model, known.budget, known.models["fast"].context_tokens) == ("fast", "12", 8192)
    opened = specs.model("fast")
    assert opened.name == "small"
    for text in ("fast", "openai:small@http://127.0.0.1:1/v1", "ollama:small"):
        assert specs.prices(text) == Prices(input=1.0, output=4.0, cached=0.5)
    usage = TokenUsage(prompt_tokens=1_000_000, completion_tokens=500_000, cached_tokens=400_000)
    assert known.prices["small"].cost_usd(usage) == pytest.approx(0.6 + 0.2 + 2.0)


def test_the_working_folder_counts_more(folder):
    (folder / "config" / "regrapht.toml").write_text(WHOLE)
    (folder / "regrapht.toml").write_text('budget = "seconds=5"\n[prices.other]\ninput = 0\noutput = 0\n')
    known = configuration()
    assert (known.model, known.budget) == ("fast", "seconds=5")
    assert set(known.prices) == {"small", "other"}


def test_a_file_cannot_send_code_away(folder):
    (folder / "regrapht.toml").write_text('[models.far]\nspec = "openai:m@https://api.example.com/v1"\n')
    with pytest.raises(ConfigError, match="not this machine"):
        specs.model("far")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("model = ", "no TOML"),
        ("model = 3", "model must be a text, not 3"),
        ("budget = []", "budget must be a text"),
        ("colour = 1", "no key colour; known: budget, evaluator, model, models, prices"),
        ("models = 1", "models must be a table"),
        ("[models]\na = 1", "models.a must be a table with a spec"),
        ('[models.a]\nspec = "x"', "models.a.spec must be a model"),
        ("[models.a]\nspec = 1", "models.a.spec must be a text"),
        ('[models.a]\nspec = "gguf:x"\ncontext_tokens = 0', "context_tokens must be a whole number above 0"),
        ('[models.a]\nspec = "gguf:x"\nallow_remote = true', "no key models.a.allow_remote"),
        ("[prices.a]\ninput = 1", "must have input and output"),
        ("[prices.a]\ninput = -1\noutput = 1", "prices.a.input must be USD"),
        ("[prices.a]\ninput = nan\noutput = 1", "prices.a.input must be USD"),
        ("[prices.a]\ninput = inf\noutput = 1", "prices.a.input must be USD"),
        ('[prices.a]\ninput = "1"\noutput = 1', "prices.a.input must be USD"),
        ("[prices.a]\ninput = 1\noutput = true", "prices.a.output must be USD"),
        ("[prices.a]\ninput = 1\noutput = 1\nfree = 1", "no key prices.a.free"),
    ],
)
def test_bad_values(folder, text, words):
    (folder / "regrapht.toml").write_text(text)
    with pytest.raises(ConfigError) as said:
        configuration()
    assert words in str(said.value) and "regrapht.toml" in str(said.value) and "\n" not in str(said.value)


def test_a_folder_in_its_place(folder):
    (folder / "regrapht.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot read"):
        configuration()


def test_names_that_are_none(folder):
    with pytest.raises(ConfigError, match=r"gguf:FILE or openai:NAME@URL.*names none"):
        specs.model("fast")
    with pytest.raises(ConfigError, match=r"give --model gguf:/models/a\.gguf$"):
        specs.model("/models/a.gguf")
    (folder / "regrapht.toml").write_text(WHOLE)
    with pytest.raises(ConfigError, match=r"models of regrapht\.toml: fast"):
        specs.model("slow")
    with pytest.raises(ConfigError, match="reasoning effort"):
        specs.model("gguf:x", ModelOptions(reasoning_effort="low"))
