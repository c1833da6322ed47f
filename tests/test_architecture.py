"""The import direction between parts, function sizes and lazy heavy imports of regrapht, checked from the source itself.

Reads the syntax tree, so it needs no third-party package, no GPU and no import of regrapht. The layers are those of
`docs/architecture.md`; a test below compares the two.
"""

import ast
from pathlib import Path
from types import ModuleType

import pytest

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


def imported(node: ast.AST) -> list[str]:
    """The dotted names that one node imports, import_module("...") and __import__("...") included."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        if node.module == NAME:
            return [f"{NAME}.{alias.name}" for alias in node.names]
        return [node.module or ""]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        function = ast.unparse(node.func).split(".")[-1]
        if function in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


def runs_at_import(tree: ast.Module):
    """Yield the nodes that run when the module is imported (not function bodies, not under TYPE_CHECKING)."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            stack.extend(node.orelse)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            stack.extend([*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)])
        elif not isinstance(node, ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


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
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        if part not in LAYER_OF and part not in OUTSIDE:
            found.append(f"{inside}: {part} is on no layer: add it to LAYERS and say why in the documentation")
            continue
        # Lazy imports obey the direction too: an upward import hidden in a function is still a cycle.
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                found.append(f"{inside}:{node.lineno}: relative import")
            for name in imported(node):
                top, _, rest = name.partition(".")
                if top != NAME:
                    continue
                why = direction(part, rest.split(".")[0]) if rest else f"{part} must not import the package root"
                if why:
                    found.append(f"{inside}:{node.lineno}: {why}")
        for node in runs_at_import(tree):
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
    found = []
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
                if lines > MAX_FUNCTION_LINES:
                    found.append(f"{path.relative_to(package)}:{node.lineno}: {node.name} has {lines} lines")
    return found


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
