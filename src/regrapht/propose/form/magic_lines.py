"""What a cell of a notebook begins with, `%%writefile brighten.cu` or `%%cuda`: it is the notebook's, and no C++."""

import re

_MAGIC = re.compile(r"\s*(?:%%\w+[^\n]*(?:\n|\Z)\s*)+")


def without_magic_lines(code: str) -> str:
    """The code without such lines at its beginning."""
    found = _MAGIC.match(code)
    return code[found.end() :] if found is not None else code
