"""Damaged and hostile files at random: the loaders give a value or a declared error, run nothing, and stay small.

`FUZZ_SECONDS` says for how long; the seed is printed.
"""

import hashlib
import json
import os
import random
import re
import resource
import time

import pytest

from regrapht.construct.corpus import read_trajectory
from regrapht.construct.trajectory_reply import parse_trajectory
from regrapht.construct.verdict_file import VERDICTS_FILE, read_verdicts
from regrapht.errors import RegraphtError, SchemaError
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.graph.vocabulary import parse_vocabulary

SECONDS = float(os.environ.get("FUZZ_SECONDS", "20"))
PARTS = ("techniques", "transitions", "outcomes", "paths", "programs")
NASTY = (
    *(None, True, False, 0, -1, 1.5, 1e308, -1e308, 10**400, "", "init", "../../etc/passwd", "\0", "\ud800", "é" * 300),
    *([], {}, [[]], {"__reduce__": "os.system"}, "a" * 5_000, "__import__('os')", 2**63, [None] * 50),
)


def spots(plain):
    """Every container of a JSON value that has something in it; each once, though a mutation may have put one inside of itself."""
    found, todo = {}, [plain]
    while todo:
        one = todo.pop()
        if isinstance(one, dict | list) and one and id(one) not in found:
            found[id(one)] = one
            todo += one.values() if isinstance(one, dict) else one
    return list(found.values())


def mutate(plain, chance):
    """Change, drop, double or move parts of a JSON value in place."""
    for _ in range(chance.randrange(1, 4)):
        spot = chance.choice(spots(plain))
        key = chance.choice(list(spot) if isinstance(spot, dict) else range(len(spot)))
        other = chance.choice(spots(plain))
        kind = chance.randrange(5)
        if kind == 0:
            spot[key] = chance.choice(NASTY)
        elif kind == 1:
            del spot[key]
        elif kind == 2 and isinstance(spot, dict):
            spot[chance.choice(["schema", "extra", "slug", "source", str(key) + "_"])] = spot[key]
        elif kind == 3 and isinstance(spot, list):
            spot.append(spot[key])
        else:
            spot[key] = json.loads(json.dumps(other, ensure_ascii=True)) if other is not plain else None


def sealed(plain, chance):
    """The text of a mutated graph, mostly with a hash that fits it, so that the checks behind the hash are reached."""
    if not isinstance(plain, dict):
        return json.dumps(plain)
    body = {key: plain[key] for key in PARTS if key in plain}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if chance.random() < 0.9:
        plain["sha256"] = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
    if chance.random() < 0.5 and not set(plain) - {*PARTS, "schema", "schema_version", "sha256"}:
        header = {key: plain[key] for key in ("schema", "schema_version", "sha256") if key in plain}
        return json.dumps(header, separators=(",", ":"))[:-1] + ",\n" + canonical[1:] + "\n"
    return json.dumps(plain, ensure_ascii=chance.random() < 0.5)


def damaged(data, chance):
    """Bytes flipped, cut, doubled or inserted."""
    place, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    end = min(end, place + 200)
    return chance.choice(
        (
            data[:place] + chance.randbytes(chance.randrange(1, 9)) + data[place:],
            data[:place] + data[end:],
            data[:end] + data[place:],
            data[:place],
            data[:place] + b"[" * 5000 + data[place:],
        )
    )


@pytest.mark.slow
def test_the_graphs_loader_gives_declared_errors_only(samples):
    graph = samples.graph()
    used = {slug for edge in graph.transitions for slug in (edge.source, edge.target)} | {"tensor_cores"}
    techniques = {slug: one for slug, one in graph.techniques.items() if slug in used}
    small = TechniqueGraph(
        techniques=techniques,
        edges=graph.edges,
        programs=graph.programs,
        all_outcomes=graph.all_outcomes,
        paths=graph.paths,
    )
    text = small.to_json()
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    refused = accepted = 0
    until = time.monotonic() + SECONDS * 0.6
    while time.monotonic() < until:
        if chance.random() < 0.7:
            plain = json.loads(text)
            mutate(plain, chance)
            try:
                given = sealed(plain, chance).encode("utf-8", "surrogatepass")
            except ValueError:
                continue  # 10**400 has no text
        else:
            given = damaged(text.encode(), chance)
        try:
            loaded = TechniqueGraph.from_json(given)
        except SchemaError as error:
            refused += 1
            assert len(str(error)) < 700
        else:
            accepted += 1
            assert TechniqueGraph.from_json(loaded.to_json()) == loaded
    print(f"{refused} refused, {accepted} accepted")
    assert refused > 10 * SECONDS / 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2 * 1024 * 1024


CORPUS_REPLY = """Some words.
```json
[{"think": "a", "method": "map", "detail": "d", "code": "extern \\"C\\" void f(int n) { k<<<1, 1>>>(); }"}]
```
## Step 2: tiling
Method: tile
```cuda
__global__ void k() {}
extern "C" void f(int n) { k<<<1, 32>>>(); }
```
"""
TRAJECTORY = """title = "A way"
source = "hand"
licence = "Apache-2.0"
run = "r1"

[[steps]]
technique = "map_to_threads"
think = "because"
detail = "done"
label = "map_2d"
file = "01_step.cu"
"""


@pytest.mark.slow
def test_the_other_loaders_give_declared_errors_only(tmp_path):
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    from types import SimpleNamespace

    task = SimpleNamespace(id="t", family="f", content_hash="0" * 64)
    (tmp_path / "01_step.cu").write_text("int x;")
    kept = {"file": "01_step.cu", "environment": 0, "timing": [{"candidate": {"samples_us": [1.5]}}]}
    verdicts = [
        {"schema": "regrapht.corpus_verdicts", "schema_version": 1, "steps": [kept]},
        {"schema": "regrapht.corpus_verdicts", "schema_version": 2, "environments": [{"device": "x"}], "steps": [kept]},
    ]
    vocabulary = (
        'schema = 1\nfeatures = ["a"]\n[[technique]]\nslug = "x"\ntitle = "X"\narea = "memory"\nmeaning = "m"\n'
    )
    vocabulary += 'condition = "c"\naliases = []\nneeds = ["a"]\n'
    until, rounds = time.monotonic() + SECONDS * 0.4, 0
    while time.monotonic() < until:
        rounds += 1
        parse_trajectory(damaged(CORPUS_REPLY.encode(), chance).decode("utf-8", "replace"), "f")
        (tmp_path / "trajectory.toml").write_bytes(damaged(TRAJECTORY.encode(), chance))
        (tmp_path / VERDICTS_FILE).write_bytes(damaged(json.dumps(chance.choice(verdicts)).encode(), chance))
        for read in (
            lambda: read_trajectory(tmp_path, task),
            lambda: read_verdicts(tmp_path),
            lambda: parse_vocabulary(damaged(vocabulary.encode(), chance).decode("utf-8", "replace")),
        ):
            try:
                read()
            except RegraphtError as error:
                assert re.search(r"\S", str(error))
    assert rounds > SECONDS
