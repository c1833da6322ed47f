"""The graph that ships with regrapht, built from the corpus in its repository."""

from functools import cache
from importlib.resources import files

from regrapht.errors import SchemaError
from regrapht.graph.technique_graph import TechniqueGraph


@cache
def shipped_graph() -> TechniqueGraph:
    """The shipped graph, read once.

    Raises:
        SchemaError: The installed file is missing or damaged.
    """
    file = files("regrapht.graph").joinpath("data", "seed_graph.json")
    if not file.is_file():
        raise SchemaError(
            "this installation lacks its graph (regrapht/graph/data/seed_graph.json): install regrapht again, or run `make graph` "
            "in a checkout"
        )
    return TechniqueGraph.from_json(file.read_bytes())
