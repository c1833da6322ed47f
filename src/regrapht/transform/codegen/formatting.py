"""clang-format over generated code."""

import subprocess
import sys
from functools import cache
from pathlib import Path

from regrapht.errors import PrerequisiteMissing

_STYLE = "{BasedOnStyle: Google, IndentWidth: 4, ColumnLimit: 120, AccessModifierOffset: -4, IndentPPDirectives: None}"


@cache
def _binary() -> str:
    import shutil
    from importlib.util import find_spec

    spec = find_spec("clang_format")
    for folder in spec.submodule_search_locations or [] if spec else []:
        inside = Path(folder) / "data" / "bin" / "clang-format"
        if inside.exists():
            return str(inside)
    beside = Path(sys.executable).with_name("clang-format")
    found = str(beside) if beside.exists() else shutil.which("clang-format")
    if found is None:
        raise PrerequisiteMissing("clang-format is not installed: pip install clang-format")
    return found


def formatted(text: str) -> str:
    """The text in the project's layout.

    Raises:
        PrerequisiteMissing: There is no clang-format on this machine.
    """
    done = subprocess.run(
        [_binary(), f"--style={_STYLE}", "--assume-filename=candidate.cu"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
