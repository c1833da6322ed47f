"""A graph as one canonical JSON text, and back, strictly.

The text holds a header (`schema`, `schema_version`, `sha256` of the body) and the body: techniques, transitions with their exemplars,
outcomes, paths and programs, each sorted. Equal graphs give equal bytes. Nothing on the way back executes anything.
"""

import hashlib
import json
from typing import Any

from regrapht.errors import SchemaError
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.encoding import from_plain, parse_strict, to_plain
from regrapht.records.technique import Exemplar, Outcome, Technique, Transition

SCHEMA = "regrapht.technique_graph"
SCHEMA_VERSION = 1
MAX_TECHNIQUES = 10_000
MAX_TRANSITIONS = 1_000_000
MAX_EXEMPLARS = 2_000_000
_JSON_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "a string"}
_BODY = ("techniques", "transitions", "outcomes", "paths", "programs")


def canonical_body(graph: TechniqueGraph) -> str:
    """The graph's contents as canonical JSON, without the header."""
    return _canonical(
        {
            "techniques": [to_plain(technique) for technique in graph.techniques.values()],
            "transitions": [_transition_to_plain(graph, edge) for edge in graph.transitions],
            "outcomes": [to_plain(outcome) for outcome in graph.all_outcomes],
            "paths": [to_plain(path) for path in graph.paths],
            "programs": dict(graph.programs),
        }
    )


def graph_to_json(graph: TechniqueGraph) -> str:
    """Header and body; ends with a newline."""
    header = {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, "sha256": graph.content_hash}
    return f"{_canonical(header)[:-1]},\n{canonical_body(graph)[1:]}\n"


def graph_from_json(text: str | bytes) -> TechniqueGraph:
    """The inverse of `graph_to_json`.

    Raises:
        SchemaError: No strict JSON, too large, too deep, another schema or version, wrong `sha256`, or parts that do not fit.
    """
    plain = _expect(parse_strict(text), dict, "a technique graph")
    _check_header(plain)
    body = {name: plain[name] for name in _BODY}
    if hashlib.sha256(_canonical(body).encode()).hexdigest() != plain["sha256"]:
        raise SchemaError(
            "the technique graph was changed after it was written: its contents do not have the sha256 in its header; "
            "take an intact copy, or build it again with `regrapht graph build`"
        )
    edges = {}
    for index, item in enumerate(_capped(body["transitions"], MAX_TRANSITIONS, "transitions")):
        edge, exemplars = _transition_from_plain(item, f"$.transitions[{index}]")
        if edge in edges:
            raise SchemaError(f"$.transitions[{index}]: {edge} for the second time")
        edges[edge] = exemplars
    if sum(len(exemplars) for exemplars in edges.values()) > MAX_EXEMPLARS:
        raise SchemaError(f"more than {MAX_EXEMPLARS} exemplars")
    graph = TechniqueGraph(
        techniques=_techniques(_capped(body["techniques"], MAX_TECHNIQUES, "techniques")),
        edges=edges,
        programs=_programs(body["programs"]),
        all_outcomes=from_plain(tuple[Outcome, ...], body["outcomes"], "$.outcomes"),
        paths=from_plain(tuple[TechniquePath, ...], body["paths"], "$.paths"),
    )
    if graph.content_hash != plain["sha256"]:
        raise SchemaError("the technique graph is not in its canonical form: something is out of order or there twice")
    return graph


def _check_header(plain: dict[str, Any]) -> None:
    if plain.get("schema") != SCHEMA:
        raise SchemaError(f"this is no technique graph: its schema is {plain.get('schema')!r:.60}, not {SCHEMA!r}")
    version = plain.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        remedy = (
            "upgrade regrapht to read it" if isinstance(version, int) and version > SCHEMA_VERSION else "it is damaged"
        )
        raise SchemaError(
            f"technique graph of schema version {version!r:.20}, this regrapht reads {SCHEMA_VERSION}: {remedy}"
        )
    expected = {"schema", "schema_version", "sha256", *_BODY}
    if set(plain) != expected:
        wrong = sorted(set(plain) ^ expected)
        raise SchemaError(f"technique graph with missing or unknown parts: {', '.join(wrong)[:200]}")


def _transition_to_plain(graph: TechniqueGraph, edge: Transition) -> dict[str, Any]:
    exemplars = []
    for exemplar in graph.edges[edge]:
        plain = to_plain(exemplar)
        del plain["transition"]
        exemplars.append(plain)
    return {"source": edge.source, "target": edge.target, "exemplars": exemplars}


def _transition_from_plain(plain: object, where: str) -> tuple[Transition, tuple[Exemplar, ...]]:
    item = _expect(plain, dict, where)
    if set(item) != {"source", "target", "exemplars"}:
        raise SchemaError(f"{where}: a transition has source, target and exemplars")
    ends = {"source": item["source"], "target": item["target"]}
    edge = from_plain(Transition, ends, where)
    exemplars = []
    for index, one in enumerate(_expect(item["exemplars"], list, where)):
        place = f"{where}.exemplars[{index}]"
        exemplars.append(from_plain(Exemplar, {**_expect(one, dict, place), "transition": ends}, place))
    return edge, tuple(exemplars)


def _techniques(plain: list[Any]) -> dict[str, Technique]:
    found: dict[str, Technique] = {}
    for technique in from_plain(tuple[Technique, ...], plain, "$.techniques"):
        if technique.slug in found:
            raise SchemaError(f"$.techniques: two techniques are called {technique.slug!r}")
        found[technique.slug] = technique
    return found


def _programs(plain: object) -> dict[str, str]:
    programs = _expect(plain, dict, "$.programs")
    for key, source in programs.items():
        _expect(source, str, f"$.programs.{key:.12}")
    return programs


def _capped(plain: object, limit: int, what: str) -> list[Any]:
    items = _expect(plain, list, f"$.{what}")
    if len(items) > limit:
        raise SchemaError(f"{len(items)} {what}; the limit is {limit}")
    return items


def _expect(plain: Any, kind: type, where: str) -> Any:
    if type(plain) is not kind:
        raise SchemaError(f"{where}: expected {_JSON_NAMES[kind]}, found {plain!r:.60}")
    return plain


def _canonical(plain: object) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
