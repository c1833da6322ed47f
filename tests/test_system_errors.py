"""What the operating system refuses is told in its words, without the number and the path that Python puts around them."""

import ast
from pathlib import Path

import pytest

from regrapht import errors
from regrapht.errors import RegraphtError

ROOT = Path(errors.__file__).parent


def raw_system_errors(source: str) -> list[int]:
    """The lines where an error of ours holds all that `OSError` prints."""
    found = []
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or not isinstance(handler.type, ast.Name):
            continue
        if handler.type.id != "OSError" or handler.name is None:
            continue
        for raised in ast.walk(handler):
            if not isinstance(raised, ast.Raise) or not isinstance(raised.exc, ast.Call):
                continue
            kind = getattr(errors, ast.unparse(raised.exc.func), None)
            if not (isinstance(kind, type) and issubclass(kind, RegraphtError)):
                continue
            shown = (one.value for one in ast.walk(raised.exc) if isinstance(one, ast.FormattedValue))
            found += [raised.lineno for one in shown if isinstance(one, ast.Name) and one.id == handler.name]
    return found


@pytest.mark.parametrize(("shown", "count"), [("{error}", 1), ("{error.strerror or error}", 0), ("no figure", 0)])
def test_such_a_place_is_found(shown, count):
    text = f'try:\n    f()\nexcept OSError as error:\n    raise ConfigError(f"cannot read it: {shown}") from error\n'
    assert len(raw_system_errors(text)) == count


def test_no_message_has_what_python_puts_around():
    places = {str(file.relative_to(ROOT)): raw_system_errors(file.read_text("utf-8")) for file in ROOT.rglob("*.py")}
    assert {file: lines for file, lines in places.items() if lines} == {}
