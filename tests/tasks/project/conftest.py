"""Bodies of a project's function, run as they stand and flat, side by side."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function


def everything(head: str, parameters: str, bodies: Iterable[str]) -> str:
    """A file whose function `everything` has all bodies in one loop, each writing to a part of `out` of its own."""
    inside = "".join(f"        {{ {body} }}\n".replace("out[i]", f"out[{k} * n + i]") for k, body in enumerate(bodies))
    return f"{head}void everything({parameters}) {{\n    for (int i = 0; i < n; ++i) {{\n{inside}    }}\n}}\n}}\n"


def differences(file: Path, source: str, main: str, *, count: int, element: str) -> str:
    """What `main` prints: the numbers of the bodies that come to something else when flat, with `flat::element` in its arrays."""
    file.write_text(source)
    found = project_function(file, entry="everything", flags=BuildFlags(standard="c++17"))
    assert found.home is not None
    text = re.sub(r"^#include.*$", "", found.text, flags=re.MULTILINE)
    places = [one.expression for one in found.home.places]
    given = ", ".join(f"reinterpret_cast<flat::{element}*>(v.data())" if one == "v.data()" else one for one in places)
    program = file.parent / "main.cpp"
    head = f'#include "{file.name}"\n#include <cstdio>\n#include <cstddef>\n#include <cstring>\n'
    program.write_text(f"{head}namespace flat {{\n{text}\n}}\n{main.format(count=count, given=given)}")
    words = ["g++", "-std=c++17", "-ffp-contract=off", "-fno-strict-aliasing", "-o", file.parent / "app", program]
    subprocess.run(words, check=True)
    return subprocess.run([file.parent / "app"], capture_output=True, text=True, check=True).stdout
