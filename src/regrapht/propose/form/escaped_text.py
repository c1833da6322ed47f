"""Code as a web page or a string of another language holds it: `&lt;&lt;&lt;`, `<br>` at ends of lines, `\\n` for them."""

import json
import re

_ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&#x27;": "'",
    "&apos;": "'",
    "&nbsp;": " ",
    "&amp;": "&",
}
_ENTITY = re.compile("|".join(_ENTITIES))
_IS_ESCAPED = re.compile(r"&lt;&lt;&lt;|#[ \t]*include[ \t]*&lt;")
"""What is no C++: elsewhere `&lt;` may be the address of something."""
_BREAK = re.compile(r"(?<![ \t])[ \t]*<br ?/?>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FEWEST_BREAKS, _FEWEST_ENDS = 3, 5
_ESCAPE = re.compile(r"\\([nt\"\\])")
_MEANS = {"n": "\n", "t": "\t"}


def without_escapes(code: str) -> str:
    """The code as it is meant; as it is where nothing is escaped."""
    if _IS_ESCAPED.search(code):
        code = _ENTITY.sub(lambda found: _ENTITIES[found[0]], code)
    if len(_BREAK.findall(code)) >= _FEWEST_BREAKS:
        code = _BREAK.sub("", code)
    if code.strip().count("\n") < 2 and code.count("\\n") >= _FEWEST_ENDS and not _is_json(code):
        code = _ESCAPE.sub(lambda found: _MEANS.get(found[1], found[1]), code)
    return code


def _is_json(code: str) -> bool:
    """Whether the text is a value of JSON, which is read as such."""
    if not code.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(code, strict=False)
    except (ValueError, RecursionError):
        return False
    return True
