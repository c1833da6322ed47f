"""Graphs that an older regrapht wrote, in today's form: one pure function a version, from the plain JSON to the plain JSON."""

from collections.abc import Callable, Mapping
from typing import Any

Body = dict[str, Any]


def migrated(body: Body, version: int) -> Body:
    """The parts of a graph of `version`, one of `OLDER`, as the present version writes them. The argument stays as it is."""
    while version in OLDER:
        body, version = OLDER[version](body), version + 1
    return body


def _from_1(body: Body) -> Body:
    """Version 2 says of each exemplar, path and outcome what it came out of, and keeps outcomes apart by task and by applied set."""
    transitions = [
        {**edge, "exemplars": [{**one, "provenance": ""} for one in edge["exemplars"]]} for edge in body["transitions"]
    ]
    outcomes = [{**one, "task_id": None, "applied": None, "provenance": ""} for one in body["outcomes"]]
    paths = []
    for path in body["paths"]:
        kept = {key: value for key, value in path.items() if key != "trajectory"}
        name = path.get("trajectory", "")
        paths.append({**kept, "provenance": f"{path['task_id']}/{name}" if name else ""})
    return {**body, "transitions": transitions, "outcomes": outcomes, "paths": paths}


OLDER: Mapping[int, Callable[[Body], Body]] = {1: _from_1}
"""The versions that are still read."""
