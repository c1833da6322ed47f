"""What a file of the source imports, when, and how long its functions are. Each text is parsed and walked once, whoever asks."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Facts:
    """Of one file."""

    imports: tuple[ast.AST, ...]
    """Nodes that import, wherever they stand, calls of import_module("...") and __import__("...") included."""
    early: tuple[ast.AST, ...]
    """Those that run when the module is imported: not in bodies of functions, not under TYPE_CHECKING."""
    functions: tuple[tuple[int, str, int], ...]
    """Line, name, and lines of the body without its docstring."""


@cache
def facts(source: str) -> Facts:
    tree = ast.parse(source)
    nodes = tuple(ast.walk(tree))
    return Facts(
        imports=tuple(node for node in nodes if imported(node) or isinstance(node, ast.ImportFrom)),
        early=tuple(node for node in _runs_at_import(tree) if imported(node)),
        functions=tuple(_function(node) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)),
    )


def imported(node: ast.AST) -> list[str]:
    """The dotted names that one node imports; of the package itself, what is asked of it."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        if node.module == "regrapht":
            return [f"regrapht.{alias.name}" for alias in node.names]
        return [node.module or ""]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        function = ast.unparse(node.func).split(".")[-1]
        if function in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


def _runs_at_import(tree: ast.Module) -> Iterator[ast.AST]:
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


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, str, int]:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return node.lineno, node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
