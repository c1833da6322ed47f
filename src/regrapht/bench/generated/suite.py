"""A suite out of templates and a seed, as folders of tasks: the same seed gives the same bytes, and no text of it is kept elsewhere."""

import json
import random
from pathlib import Path

from regrapht.bench.generated.templates import TEMPLATES, Drawn
from regrapht.errors import ConfigError

SEED_FILE = "seed.json"


def write_suite(folder: Path, *, seed: int, count: int) -> Path:
    """Write `count` tasks of `seed` into a new folder, templates in turn; returns it.

    Raises:
        ConfigError: The folder is there and not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty: name a new folder")
    for number in range(count):
        template = TEMPLATES[number % len(TEMPLATES)]
        drawn = template(random.Random(f"{seed} {number}"))
        id = f"{template.__name__}_{number:03}"
        home = folder / drawn.family / id
        home.mkdir(parents=True)
        (home / "task.toml").write_text(_toml(id, drawn), encoding="utf-8")
        (home / "reference.cpp").write_text(drawn.reference, encoding="utf-8")
    (folder / SEED_FILE).write_text(json.dumps({"seed": seed, "tasks": count}) + "\n", encoding="utf-8")
    return folder


def _toml(id: str, drawn: Drawn) -> str:
    lines = [
        "schema = 1",
        f'id = "{id}"',
        f'title = "{drawn.title}"',
        f'description = "{drawn.description}"',
        f'entry = "{drawn.entry}"',
        f'family = "{drawn.family}"',
        'licence = "Apache-2.0"',
        'source = "generated"',
        "[reference]",
        'file = "reference.cpp"',
    ]
    for size in drawn.sizes:
        lines += ["[[args]]", f'name = "{size}"', 'kind = "size"', 'dtype = "int32"']
    for array in drawn.arrays:
        shape = ", ".join(f'"{size}"' for size in array.shape)
        dtype, init = array.element
        lines += [
            "[[args]]",
            f'name = "{array.name}"',
            'kind = "array"',
            dtype,
            f"shape = [{shape}]",
            f'role = "{array.role}"',
        ]
        lines += [init] if array.role == "in" else []
    check = ", ".join(_row(drawn, row) for row in drawn.check)
    lines += ["[sizes]", f"check = [{check}]", f"bench = [{_row(drawn, drawn.bench)}]"]
    lines += ["[tolerance]", 'class = "exact"' if drawn.is_exact else f'reduction_length = "{drawn.length}"']
    return "\n".join(lines) + "\n"


def _row(drawn: Drawn, values: tuple[int, ...]) -> str:
    return "{ " + ", ".join(f"{size} = {value}" for size, value in zip(drawn.sizes, values, strict=True)) + " }"
