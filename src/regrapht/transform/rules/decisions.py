"""The list of decisions that makes a candidate: enough to build it again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.errors import SchemaError

SCHEMA = 1
Value = int | str | list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One technique with its parameters, applied to some nests (counted from 1)."""

    technique: str
    nests: tuple[int, ...]
    parameters: Mapping[str, Value]

    def __str__(self) -> str:
        settings = ", ".join(f"{name} {shown(value)}" for name, value in sorted(self.parameters.items()))
        return f"{self.technique}({settings})" if settings else self.technique


def shown(value: Value) -> str:
    """A parameter's value for a reader: `16`, `32 x 8`."""
    return " x ".join(map(str, value)) if isinstance(value, list) else str(value)


def decisions_to_json(decisions: tuple[Decision, ...]) -> str:
    """The decisions as text, the same for the same decisions."""
    steps = [{"technique": d.technique, "nests": list(d.nests), "parameters": dict(d.parameters)} for d in decisions]
    return json.dumps({"schema": SCHEMA, "steps": steps}, sort_keys=True, separators=(",", ":"))


def decisions_from_json(text: str) -> tuple[Decision, ...]:
    """The decisions of a candidate.

    Raises:
        SchemaError: The text is not what `decisions_to_json` writes, or of another version.
    """
    try:
        plain = json.loads(text)
        if plain["schema"] != SCHEMA:
            raise SchemaError(f"decisions of schema {plain['schema']}; this version reads {SCHEMA}")
        decisions = tuple(_read_step(step) for step in plain["steps"])
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError(f"these are no decisions of the transform engine: {error}") from error
    if not decisions:
        raise SchemaError("these are no decisions of the transform engine: there is none")
    return decisions


def _read_step(step: dict[str, object]) -> Decision:
    technique, nests, parameters = step["technique"], step["nests"], step["parameters"]
    if not isinstance(technique, str) or not isinstance(nests, list) or not isinstance(parameters, dict):
        raise TypeError("a step has a technique, a list of nests and an object of parameters")
    return Decision(technique=technique, nests=tuple(nests), parameters=parameters)
