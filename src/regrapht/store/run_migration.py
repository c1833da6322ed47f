"""Reading a run that an earlier version stored.

Version 1 kept some of a run's options as fields of its settings, and the others in a dictionary, where the task and a given program were
JSON texts.
"""

from collections.abc import Mapping
from typing import Any

from regrapht.errors import SchemaError
from regrapht.records.encoding import parse_strict
from regrapht.records.run import SCHEMA_VERSION

_AS_THEY_WERE = ("search", "proposer", "model", "evaluator", "level", "budget", "seed", "workers")
_OUT_OF_THE_DICTIONARY = (
    "entry", "graph", "out", "architecture", "hide_family", "hide_reference", "context_tokens", "max_tokens", "tune", "given_file",
)  # fmt: skip


def in_this_schema(plain: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored run's plain form as `Run` has it now; one that is of this version, or newer, as it is.

    Raises:
        SchemaError: It was stored before tasks were kept with their runs, and cannot be read any more.
    """
    if plain.get("schema_version") != 1:
        return plain
    then: Mapping[str, Any] = plain["settings"]
    kept: Mapping[str, Any] = then["options"]
    if "task" not in kept:
        raise SchemaError(
            f"run {plain['id']} was stored without its task, which this regrapht cannot read: start it again"
        )
    options = {name: then[name] for name in _AS_THEY_WERE}
    options |= {name: kept[name] for name in _OUT_OF_THE_DICTIONARY if name in kept}
    if kept.get("given") is not None:
        options["given"] = parse_strict(kept["given"])
    settings = {name: then[name] for name in ("task_hash", "protocol", "graph_hash", "prompts_hash")}
    settings |= {
        "options": {**options, "schema_version": SCHEMA_VERSION},
        "task": parse_strict(kept["task"]),
        "not_admitted": kept.get("not_admitted") or [],
        **{name: kept.get(name) for name in ("path", "device", "cell")},
    }
    return {**plain, "settings": settings, "schema_version": SCHEMA_VERSION}
