"""Headers that are not there: of the project that a model thinks itself in (`"kernel.cuh"`), of the toolkit's samples."""

import re

from regrapht.propose.form.program import Program

_INCLUDE = re.compile(
    r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<own>[^"\n]+)"|<(?P<sample>(?:helper_\w+|cutil\w*|book|common)\.h)>)[^\n]*\n?',
    re.MULTILINE,
)
_THERE = re.compile(
    r"(?:cuda|device_|vector_|math|sm_|mma|curand|cub|thrust|cooperative_groups|cublas|cufft|cusparse|cutensor|nv|std|crt)[\w/.]*"
    r"|(?:assert|ctype|errno|float|inttypes|limits|string|time)\.h|[a-z_]+"
)
"""Names of CUDA's and the standard's headers, which quotes may go around as well."""


def without_headers_that_are_not_there(program: Program) -> str | None:
    """The text without them; None where each header is CUDA's or the standard's."""
    text = _INCLUDE.sub(lambda found: found[0] if found["own"] and _THERE.fullmatch(found["own"]) else "", program.text)
    return text if text != program.text else None
