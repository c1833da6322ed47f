"""`--model` to a language model: `openai:NAME@URL`, `scripted:FILE`, `recorded:FILE`, or a kind that another package installed."""

from pathlib import Path

from regrapht import settings
from regrapht.errors import ConfigError
from regrapht.llm.client import LanguageModel
from regrapht.llm.endpoint import EXAMPLE
from regrapht.llm.recorded import RecordingModel
from regrapht.registry import Registry

MODELS = Registry(
    "models",
    {
        "openai": "regrapht.llm.openai_compatible:open_endpoint",
        "scripted": "regrapht.llm.scripted:open_script",
        "recorded": "regrapht.llm.recorded:open_recording",
    },
)


def model(spec: str, *, allow_remote: bool = False, record_to: Path | None = None) -> LanguageModel:
    """The model that a spec `KIND:REST` names. Nothing is sent yet.

    Args:
        spec: As above.
        allow_remote: Whether its host may be another machine; `REGRAPHT_ALLOW_REMOTE=1` says so too.
        record_to: Where to write every completion down, to be played again by `recorded:FILE`.

    Raises:
        ConfigError: The spec makes no sense, or its host is not this machine and that was not allowed.
        UnknownName: There is no such kind.
        PrerequisiteMissing: The kind needs a package that is not installed.
    """
    kind, colon, rest = spec.partition(":")
    if not colon or not rest:
        raise ConfigError(f"a model is written KIND:REST, not {spec!r}; for instance --model {EXAMPLE}")
    opened: LanguageModel = MODELS.load(kind)(rest, allow_remote=allow_remote or settings.allow_remote())
    return opened if record_to is None else RecordingModel(opened, record_to)
