"""`--model` to a language model: a spec `KIND:REST`, or a name that the user's configuration gives one.

| spec | what |
|---|---|
| `gguf:FILE` | a file, run by llama.cpp in a process of ours |
| `ollama:NAME[@URL]` | a model of Ollama's |
| `openai:NAME@URL` | any server with the OpenAI protocol |
| `hf:FOLDER` | a local folder, run by transformers |
| `scripted:FILE`, `recorded:FILE` | written replies; an earlier model's replies |
"""

from dataclasses import replace
from pathlib import Path

from regrapht import settings
from regrapht.errors import ConfigError
from regrapht.llm.client import LanguageModel, ModelOptions
from regrapht.llm.configuration import Configuration, NamedModel, configuration
from regrapht.llm.endpoint import EXAMPLE
from regrapht.llm.prices import Prices
from regrapht.llm.recorded import RecordingModel
from regrapht.registry import Registry

MODELS = Registry(
    "models",
    {
        "gguf": "regrapht.llm.gguf:open_gguf",
        "hf": "regrapht.llm.hf:open_folder",
        "ollama": "regrapht.llm.ollama:open_ollama",
        "openai": "regrapht.llm.openai_compatible:open_endpoint",
        "scripted": "regrapht.llm.scripted:open_script",
        "recorded": "regrapht.llm.recorded:open_recording",
    },
)


def model(
    spec: str, options: ModelOptions | None = None, *, allow_remote: bool = False, record_to: Path | None = None
) -> LanguageModel:
    """The model that a spec, or a name of the configuration, means. Nothing is sent yet.

    Args:
        spec: As above.
        options: What is asked of it; the configuration fills in what is not.
        allow_remote: Whether its host may be another machine; `REGRAPHT_ALLOW_REMOTE=1` says so too.
        record_to: Where to write every completion down, to be played again by `recorded:FILE`.

    Raises:
        ConfigError: The spec makes no sense, or its host is not this machine and that was not allowed.
        UnknownName: There is no such kind.
        PrerequisiteMissing: The kind needs a package that is not installed.
    """
    asked = options or ModelOptions()
    named = configured(spec)
    kind, _, rest = named.spec.partition(":")
    if not rest:
        raise ConfigError(f"a model is written KIND:REST, not {named.spec!r}; for instance --model {EXAMPLE}")
    asked = replace(
        asked,
        allow_remote=asked.allow_remote or allow_remote or settings.allow_remote(),
        context_tokens=asked.context_tokens or named.context_tokens,
        reasoning_effort=asked.reasoning_effort or named.reasoning_effort,
    )
    if asked.reasoning_effort is not None and kind != "openai":
        raise ConfigError(f"a reasoning effort is told to openai: models alone, not to {named.spec}")
    opened: LanguageModel = MODELS.load(kind)(rest, asked)
    return opened if record_to is None else RecordingModel(opened, record_to)


def configured(text: str, known: Configuration | None = None) -> NamedModel:
    """What `--model` means, with what the configuration says of it.

    Raises:
        ConfigError: It is no spec and no name, or the configuration is wrong.
    """
    return (known or configuration()).named(text)


def prices(text: str) -> Prices | None:
    """What the model that `--model` gives costs: the entry under that name, or under the NAME in its spec. None where there is none.

    Raises:
        ConfigError: As `configured`.
    """
    known = configuration()
    rest = configured(text, known).spec.partition(":")[2]
    name = rest[:at] if (at := max(rest.rfind("@http://"), rest.rfind("@https://"))) > 0 else rest
    for key in (text, name, Path(name).name):
        if key in known.prices:
            return known.prices[key]
    return None
