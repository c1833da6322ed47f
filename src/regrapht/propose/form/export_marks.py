"""Words that export the entry from a library elsewhere: `__declspec(dllexport)`, a macro `MY_API` that is not defined."""

import re

from regrapht.propose.form.program import Program

_DECLSPEC = re.compile(r"__declspec\s*\(\s*\w+\s*\)[ \t]*")
_MACRO = re.compile(r'(?<=extern "C" )(?P<name>[A-Z_]*(?:EXPORT|API|DLL)[A-Z_]*)[ \t]+(?=\w)')


def without_export_marks(program: Program) -> str | None:
    """The text without them; None where there is none."""
    text = _DECLSPEC.sub("", program.text)
    text = _MACRO.sub(lambda found: found[0] if re.search(rf"#\s*define\s+{found['name']}\b", text) else "", text)
    return text if text != program.text else None
