"""Headers of libraries that a program includes by habit and uses nothing of: `#include <thrust/device_vector.h>`, `<cublas_v2.h>`."""

import re

from regrapht.propose.form.program import Program
from regrapht.source.tokens import without_comments

_INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](?P<library>thrust|cub|cublas|curand|cufft|cusparse|cusolver|cudnn|opencv2)[\w/.]*[>\"][^\n]*\n?",
    re.MULTILINE,
)
_NAMED = {"opencv2": "cv"}
"""By which word a library is used, where that is not its own."""


def without_libraries_that_are_not_used(program: Program) -> str | None:
    """The text without them; None where all that is included is named somewhere, or none is of a library."""
    code = without_comments(_INCLUDE.sub("", program.text))

    def kept(found: re.Match[str]) -> str:
        word = _NAMED.get(found["library"], found["library"])
        return found[0] if re.search(rf"\b{word}", code, re.IGNORECASE) else ""

    text = _INCLUDE.sub(kept, program.text)
    return text if text != program.text else None
