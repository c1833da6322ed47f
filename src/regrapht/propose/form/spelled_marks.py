"""CUDA's words with other underscores: eaten by Markdown (`**global**`), one for two (`_global_`), in capitals."""

import re

from regrapht.propose.form.program import Program

_WORDS = "global|device|host|shared|constant|restrict|syncthreads|launch_bounds|forceinline|noinline|managed"
_OTHERWISE = re.compile(
    rf"\*\*(?P<bold>{_WORDS})\*\*|(?<![\w*])_{{1,2}}(?P<few>{_WORDS})_(?![\w*])|(?<![\w*])_(?P<one>{_WORDS})__(?![\w*])"
    rf"|(?<![\w*])__(?P<capital>(?i:{_WORDS}))__(?![\w*])"
)


def with_underscores(program: Program) -> str | None:
    """The text with the words as CUDA spells them; None where they are so."""
    text = _OTHERWISE.sub(_as_cuda_does, program.text)
    return text if text != program.text else None


def _as_cuda_does(found: re.Match[str]) -> str:
    word = next(filter(None, found.groups())).lower()
    return f"__{word}" if word == "syncthreads" else f"__{word}__"
