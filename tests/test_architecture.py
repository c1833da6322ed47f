"""The import direction between parts, function sizes and lazy heavy imports of regrapht, checked from the source itself.

Reads the syntax tree, so it needs no third-party package, no GPU and no import of regrapht. The layers are those of
`docs/architecture.md`; a test below compares the two.
"""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_facts import facts, imported

NAME = "regrapht"
LAYERS = (  # lowest first; a part imports only parts on lower layers, so parts on one layer are independent
    {"errors", "version", "wording"},
    {"settings", "registry", "records", "loopback"},
    {"sandbox", "source"},
    {"tasks", "graph", "llm", "prompts", "emulate", "store"},
    {"transform"},
    {"evaluate", "search", "propose", "construct"},
    {"loop", "tune", "distil"},
    {"assemble"},
    {"bench"},
    {"report"},
    {"session", "doctor", "serve", "view"},
    {"api", "cli"},
)
FORBIDDEN = {
    ("search", other) for other in ("settings", "sandbox", "source", "tasks", "llm", "prompts", "emulate", "store")
}
HEAVY = {
    "torch",
    "matplotlib",
    "transformers",
    "openai",
    "mcp",
    "nicegui",
    "ray",
    "islpy",
    "optuna",
    "peft",
    "accelerate",
    "gguf",
}
MAX_FUNCTION_LINES = 60
OUTSIDE = {"__init__", "__main__", "testing"}  # on no layer: they may import every part
LAYER_OF = {part: index for index, parts in enumerate(LAYERS) for part in parts}


def direction(part: str, target: str) -> str | None:
    """Why part must not import target, or None."""
    if target == "testing":
        return None if part in {"testing", "doctor"} else f"{part} must not import testing"
    if part in OUTSIDE or target == part:
        return None
    if target in OUTSIDE:
        return f"{part} must not import {target}"
    if target not in LAYER_OF:
        return f"{target} is on no layer; import a part, not a name of the package root"
    if (part, target) in FORBIDDEN or LAYER_OF[target] >= LAYER_OF[part]:
        return f"{part} must not import {target}"
    return None


def problems(package: Path) -> list[str]:
    found = []
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        part = inside.parts[0].removesuffix(".py")
        known = facts(path.read_text(encoding="utf-8"))
        if part not in LAYER_OF and part not in OUTSIDE:
            found.append(f"{inside}: {part} is on no layer: add it to LAYERS and say why in the documentation")
            continue
        # Lazy imports obey the direction too: an upward import hidden in a function is still a cycle.
        for node in known.imports:
            if isinstance(node, ast.ImportFrom) and node.level:
                found.append(f"{inside}:{node.lineno}: relative import")
            for name in imported(node):
                top, _, rest = name.partition(".")
                if top != NAME:
                    continue
                why = direction(part, rest.split(".")[0]) if rest else f"{part} must not import the package root"
                if why:
                    found.append(f"{inside}:{node.lineno}: {why}")
        for node in known.early:
            for top in sorted({name.split(".")[0] for name in imported(node)} & HEAVY):
                found.append(f"{inside}:{node.lineno}: import {top} inside a function")
    return found


def package_folder() -> Path:
    root = Path(__file__).resolve().parents[1]
    for folder in (root / "src" / NAME, root / NAME):
        if folder.is_dir():
            return folder
    raise AssertionError(f"no package {NAME} beside {root}")


def test_architecture():
    assert problems(package_folder()) == []


def function_lengths(package: Path) -> list[str]:
    """Functions whose body, docstring left out, is longer than the limit."""
    return [
        f"{path.relative_to(package)}:{line}: {name} has {lines} lines"
        for path in sorted(package.rglob("*.py"))
        for line, name, lines in facts(path.read_text(encoding="utf-8")).functions
        if lines > MAX_FUNCTION_LINES
    ]


def test_functions_are_short():
    assert function_lengths(package_folder()) == []


def test_names_say_something():
    empty = {"utils", "util", "helpers", "helper", "common", "misc", "core", "base", "manager", "types"}
    assert [
        str(path) for path in package_folder().rglob("*.py") if path.stem in empty or path.parent.name in empty
    ] == []


def test_the_documentation_shows_these_layers():
    page = (package_folder().parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [
        row.split("|")[1:3] for row in page.splitlines() if row.startswith("| ") and row.split("|")[1].strip().isdigit()
    ]
    assert [(int(number), set(parts.replace(" ", "").split(","))) for number, parts in rows] == list(enumerate(LAYERS))


def test_public_names_can_be_imported():
    import regrapht

    for name in regrapht.__all__:
        assert not isinstance(getattr(regrapht, name), ModuleType), f"{name} is a module's name"


PLANTED = {
    "upward": ("records/x.py", "from regrapht.search.mcgs import GraphSearch"),
    "sideways": ("search/x.py", "import regrapht.evaluate"),
    "hidden in a function": ("graph/x.py", "def f():\n    from regrapht.search import mcgs"),
    "relative": ("search/x.py", "from . import mcgs"),
    "testing": ("search/x.py", "import regrapht.testing"),
    "package root": ("search/x.py", "import regrapht"),
    "eager heavy": ("llm/x.py", "import openai"),
    "on no layer": ("misfit.py", "pass"),
    "import_module": ("records/x.py", "from importlib import import_module\nimport_module('regrapht.search')"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_planted_violations_are_caught(kind, tmp_path):
    where, text = PLANTED[kind]
    (tmp_path / where).parent.mkdir(exist_ok=True)
    (tmp_path / where).write_text(text)
    assert len(problems(tmp_path)) == 1
