"""What a user wrote down: `regrapht.toml`.

    model = "fast"                    # for --model, where it is not given
    budget = "candidates=20,usd=1"    # for --budget
    evaluator = "emulated"            # for --evaluator of optimize and check

    [models.fast]
    spec = "openai:NAME@http://127.0.0.1:8000/v1"
    context_tokens = 8192             # optional
    reasoning_effort = "low"          # optional

    [prices.NAME]                     # USD for a million tokens
    input = 0.25
    output = 2.0
    cached = 0.025                    # optional

The file in the working folder counts more than the user's own, entry by entry. Nothing in it can allow a model off this machine.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from regrapht import settings
from regrapht.errors import ConfigError
from regrapht.llm.prices import Prices
from regrapht.records.toml_text import parse_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedModel:
    """A model under a name of the user's."""

    spec: str
    context_tokens: int | None = None
    reasoning_effort: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Everything that the files say."""

    model: str | None = None
    budget: str | None = None
    evaluator: str | None = None
    models: Mapping[str, NamedModel] = field(default_factory=dict)
    prices: Mapping[str, Prices] = field(default_factory=dict)

    def named(self, text: str) -> NamedModel:
        """The model that `--model` gives: a name of `models`, or a spec.

        Raises:
            ConfigError: It is neither.
        """
        if text in self.models:
            return self.models[text]
        if ":" in text:
            return NamedModel(spec=text)
        if text.endswith(".gguf"):
            raise ConfigError(f"a model in a file is written gguf:FILE: give --model gguf:{text}")
        known = f"models of regrapht.toml: {', '.join(self.models)}" if self.models else "regrapht.toml names none"
        raise ConfigError(
            f"a model is written KIND:REST, such as gguf:FILE or openai:NAME@URL, or is a name of regrapht.toml, not {text!r}; {known}"
        )


def configuration() -> Configuration:
    """The files there are, joined.

    Raises:
        ConfigError: One cannot be read, or says something that makes no sense; the message names file and key.
    """
    joined = Configuration()
    for path in reversed(settings.configuration_files()):
        one = _read(path)
        joined = replace(
            joined,
            model=one.model or joined.model,
            budget=one.budget or joined.budget,
            evaluator=one.evaluator or joined.evaluator,
            models={**joined.models, **one.models},
            prices={**joined.prices, **one.prices},
        )
    return joined


def _read(path: Path) -> Configuration:
    try:
        said = parse_toml(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Configuration()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{path} is no TOML: {error}") from error
    _known_only(path, "", said, {one.name for one in fields(Configuration)})
    return Configuration(
        model=_text(path, "model", said.get("model")),
        budget=_budget(path, said.get("budget")),
        evaluator=_text(path, "evaluator", said.get("evaluator")),
        models={name: _model(path, f"models.{name}", one) for name, one in _table(path, "models", said).items()},
        prices={name: _prices(path, f"prices.{name}", one) for name, one in _table(path, "prices", said).items()},
    )


def _model(path: Path, key: str, said: Any) -> NamedModel:
    if not isinstance(said, dict):
        raise ConfigError(f'{path}: {key} must be a table with a spec, such as spec = "gguf:FILE"')
    _known_only(path, f"{key}.", said, {one.name for one in fields(NamedModel)})
    spec = _text(path, f"{key}.spec", said.get("spec"))
    if spec is None or ":" not in spec:
        raise ConfigError(f"{path}: {key}.spec must be a model written KIND:REST, such as gguf:FILE or openai:NAME@URL")
    context = said.get("context_tokens")
    if context is not None and not (type(context) is int and context > 0):
        raise ConfigError(f"{path}: {key}.context_tokens must be a whole number above 0, not {context!r}")
    effort = _text(path, f"{key}.reasoning_effort", said.get("reasoning_effort"))
    return NamedModel(spec=spec, context_tokens=context, reasoning_effort=effort)


def _prices(path: Path, key: str, said: Any) -> Prices:
    if not isinstance(said, dict) or not {"input", "output"} <= said.keys():
        raise ConfigError(f"{path}: {key} must have input and output, in USD for a million tokens")
    _known_only(path, f"{key}.", said, {one.name for one in fields(Prices)})
    for name, price in said.items():
        if type(price) not in (int, float) or not 0 <= price < math.inf:
            raise ConfigError(f"{path}: {key}.{name} must be USD for a million tokens, 0 or more, not {price!r}")
    return Prices(**{name: float(price) for name, price in said.items()})


def _budget(path: Path, said: Any) -> str | None:
    if type(said) is int:
        return str(said)
    return _text(path, "budget", said)


def _text(path: Path, key: str, said: Any) -> str | None:
    if said is not None and not (isinstance(said, str) and said):
        raise ConfigError(f"{path}: {key} must be a text, not {said!r}")
    return said


def _table(path: Path, key: str, said: dict[str, Any]) -> dict[str, Any]:
    table = said.get(key, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: {key} must be a table, [{key}.NAME]")
    return table


def _known_only(path: Path, where: str, said: dict[str, Any], known: set[str]) -> None:
    if unknown := sorted(said.keys() - known):
        raise ConfigError(f"{path}: there is no key {where}{unknown[0]}; known: {', '.join(sorted(known))}")
