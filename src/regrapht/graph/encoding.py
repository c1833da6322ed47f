"""A graph as one canonical JSON text, and back, strictly.

The text holds a header (`schema`, `schema_version`, `sha256` of the body) and the body: techniques, transitions with their exemplars,
outcomes, paths and programs, each sorted. Equal graphs give equal bytes. Nothing on the way back executes anything.
"""

import gc
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from regrapht.errors import SchemaError
from regrapht.graph.bulk import bulk_reader
from regrapht.graph.migration import OLDER, migrated
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.encoding import MAX_BYTES, from_plain, parse_strict, parse_trusted, to_plain
from regrapht.records.technique import Exemplar, Outcome, Technique, Transition

SCHEMA = "regrapht.technique_graph"
SCHEMA_VERSION = 2
MAX_TECHNIQUES = 10_000
MAX_TRANSITIONS = 1_000_000
MAX_EXEMPLARS = 2_000_000
MAX_MESSAGE = 600
_JSON_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "a string"}
_BODY = ("techniques", "transitions", "outcomes", "paths", "programs")
_SEAL = re.compile(
    rf'\{{"schema":"{SCHEMA}","schema_version":{SCHEMA_VERSION},"sha256":"([0-9a-f]{{64}})",\n"'.encode()
)
_HALF_CHARACTER = re.compile(rb"\\u[dD]")
"""An escape that may be half of a character. One search for a pattern takes a quarter of the time of two searches for a text."""
_read_exemplar = bulk_reader(Exemplar, given=("transition",))
_read_outcome = bulk_reader(Outcome, given=("transition",))
_read_path = bulk_reader(TechniquePath)


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
    """The inverse of `graph_to_json`; of an older version's text, the same graph as this version would write it.

    Raises:
        SchemaError: No strict JSON, too large, too deep, another schema or version, wrong `sha256`, or parts that do not fit.
    """
    try:
        return _from_json(text)
    except SchemaError as error:
        if len(message := str(error)) > MAX_MESSAGE:  # a hostile file may have names of any length
            raise SchemaError(f"{message[:MAX_MESSAGE]} ...") from None
        raise


def _from_json(text: str | bytes) -> TechniqueGraph:
    with _no_garbage_collection():
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        del text
        is_sealed = _is_sealed(data)
        plain = parse_trusted(data) if is_sealed else _expect(parse_strict(data), dict, "a technique graph")
        del data
        _check_header(plain)
        if not is_sealed:
            _check_hash(plain)
        return _graph(plain)


def _is_sealed(data: bytes) -> bool:
    """Whether the text is, byte by byte, what a regrapht of this version sealed; the strict way has to look at any other."""
    seal = _SEAL.match(data)
    if seal is None or len(data) > MAX_BYTES or not data.endswith(b"}\n") or _HALF_CHARACTER.search(data):
        return False
    digest = hashlib.sha256(b"{")
    digest.update(memoryview(data)[seal.end() - 1 : -1])
    return digest.hexdigest() == seal[1].decode()


def _graph(plain: dict[str, Any]) -> TechniqueGraph:
    body = {name: _expect(plain[name], dict if name == "programs" else list, f"$.{name}") for name in _BODY}
    if plain["schema_version"] in OLDER:
        body = _migrated(body, plain["schema_version"])
    edges: dict[Transition, tuple[Exemplar, ...]] = {}
    for index, item in enumerate(_capped(body["transitions"], MAX_TRANSITIONS, "transitions")):
        edge, exemplars = _transition_from_plain(item, f"$.transitions[{index}]")
        if edge in edges:
            raise SchemaError(f"$.transitions[{index}]: {edge} for the second time")
        edges[edge] = exemplars
    if sum(len(exemplars) for exemplars in edges.values()) > MAX_EXEMPLARS:
        raise SchemaError(f"more than {MAX_EXEMPLARS} exemplars")
    techniques = _techniques(_capped(body["techniques"], MAX_TECHNIQUES, "techniques"))
    outcomes = tuple(_outcome(item, "$.outcomes", index) for index, item in enumerate(body["outcomes"]))
    paths = tuple(_read_path(item, "$.paths", index) for index, item in enumerate(body["paths"]))
    graph = TechniqueGraph(
        techniques=techniques, edges=edges, programs=_programs(body["programs"]), all_outcomes=outcomes, paths=paths
    )
    if plain["schema_version"] == SCHEMA_VERSION:
        _refuse_disorder(graph, edges=edges, techniques=techniques, outcomes=outcomes, paths=paths)
    return graph


def _refuse_disorder(graph: TechniqueGraph, **given: Any) -> None:
    """Nothing in a file of ours is out of order or there twice, so that one graph has one text."""
    read = [list(given["techniques"]), list(given["edges"]), list(given["edges"].values())]
    kept = [list(graph.techniques), list(graph.edges), list(graph.edges.values())]
    if read != kept or given["outcomes"] != graph.all_outcomes or given["paths"] != graph.paths:
        raise SchemaError("the technique graph is not in its canonical form: something is out of order or there twice")


def _check_header(plain: dict[str, Any]) -> None:
    if plain.get("schema") != SCHEMA:
        raise SchemaError(f"this is not a technique graph: its schema is {plain.get('schema')!r:.60}, not {SCHEMA!r}")
    version = plain.get("schema_version")
    if type(version) is not int or (version != SCHEMA_VERSION and version not in OLDER):
        remedy = "upgrade regrapht to read it" if type(version) is int and version > SCHEMA_VERSION else "it is damaged"
        raise SchemaError(
            f"technique graph of schema version {version!r:.20}, this regrapht reads {min(OLDER)} to {SCHEMA_VERSION}: {remedy}"
        )
    expected = {"schema", "schema_version", "sha256", *_BODY}
    if set(plain) != expected:
        wrong = sorted(set(plain) ^ expected)
        raise SchemaError(f"technique graph with missing or unknown parts: {', '.join(wrong)[:200]}")


def _check_hash(plain: dict[str, Any]) -> None:
    body = {name: plain[name] for name in _BODY}
    if hashlib.sha256(_canonical(body).encode()).hexdigest() != plain["sha256"]:
        raise SchemaError(
            "the technique graph was changed after it was written: its contents do not have the sha256 in its header; "
            "take an intact copy, or build it again with `regrapht graph build`"
        )


def _migrated(body: dict[str, Any], version: int) -> dict[str, Any]:
    try:
        return migrated(body, version)
    except (KeyError, TypeError, AttributeError) as error:
        raise SchemaError(f"technique graph of schema version {version} whose parts are not of that version") from error


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
    edge = _edge(item["source"], item["target"], where)
    exemplars, place = _expect(item["exemplars"], list, where), f"{where}.exemplars"
    return edge, tuple(_read_exemplar(one, place, index, edge) for index, one in enumerate(exemplars))


def _edge(source: object, target: object, where: str) -> Transition:
    return Transition(_expect(source, str, f"{where}.source"), _expect(target, str, f"{where}.target"))


def _outcome(plain: object, outcomes: str, index: int) -> Outcome:
    where = f"{outcomes}[{index}]"
    item = _expect(plain, dict, where)
    if "transition" not in item:
        raise SchemaError(f"{where}: Outcome lacks transition")
    ends = _expect(item["transition"], dict, f"{where}.transition")
    if set(ends) != {"source", "target"}:
        raise SchemaError(f"{where}.transition: a transition has source and target")
    edge = _edge(ends["source"], ends["target"], f"{where}.transition")
    rest = {name: value for name, value in item.items() if name != "transition"}
    return _read_outcome(rest, outcomes, index, edge)


def _techniques(plain: list[Any]) -> dict[str, Technique]:
    found: dict[str, Technique] = {}
    for technique in from_plain(tuple[Technique, ...], plain, "$.techniques"):
        if technique.slug in found:
            raise SchemaError(f"$.techniques: two techniques are called {technique.slug!r}")
        found[technique.slug] = technique
    return found


def _programs(programs: dict[str, Any]) -> dict[str, str]:
    for key, source in programs.items():
        if type(source) is not str:
            _expect(source, str, f"$.programs.{key:.12}")
    return programs


def _capped(items: list[Any], limit: int, what: str) -> list[Any]:
    if len(items) > limit:
        raise SchemaError(f"{len(items)} {what}; the limit is {limit}")
    return items


def _expect(plain: Any, kind: type, where: str) -> Any:
    if type(plain) is not kind:
        raise SchemaError(f"{where}: expected {_JSON_NAMES[kind]}, found {plain!r:.60}")
    return plain


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Reading makes a million objects and no cycle; looking for cycles among them takes half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _canonical(plain: object) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
