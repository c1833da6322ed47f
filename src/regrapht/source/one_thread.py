"""Whether one thread does a program's main work: then it is slower than the function that it came from, and no result."""

from collections.abc import Iterator, Sequence

from regrapht.records.proposal import Judged
from regrapht.source.tokens import Token, TokenKind, tokens

_LIBRARIES = ("cublas", "cudnn", "cufft", "cusparse", "cusolver", "cub", "thrust", "cudaLaunch", "cudaGraphLaunch")
"""How the names begin of what launches kernels without `<<<`."""


def runs_in_one_thread(judged: Judged) -> bool:
    """Whether one thread does all the work, or by far most of it where the program's writer knows; False also where it cannot be told.

    The emulator has counted the threads. Where only a GPU judged, the launches of the text say it, as far as they are of constants.
    """
    if judged.candidate.one_thread:
        return True
    evidence = judged.verdict.evidence
    if evidence is not None:
        return 0 < evidence.launches == evidence.threads
    found = [token for token in tokens(judged.candidate.source or "") if token.kind is not TokenKind.BLANK]
    if any(token.kind is TokenKind.NAME and token.text.startswith(_LIBRARIES) for token in found):
        return False
    shapes = list(_launch_shapes(found))
    return bool(shapes) and all(shape[:2] == ["1", "1"] for shape in shapes)


def _launch_shapes(found: Sequence[Token]) -> Iterator[list[str]]:
    """What stands between `<<<` and `>>>` at each launch, argument by argument."""
    shape: list[str] | None = None
    depth = 0
    for token in found:
        if token.text == "<<<":
            shape, depth = [""], 0
        elif shape is not None and token.text == ">>>":
            yield shape
            shape = None
        elif shape is not None:
            depth += token.text in ("(", "{", "[")
            depth -= token.text in (")", "}", "]")
            if token.text == "," and depth == 0:
                shape.append("")
            else:
                shape[-1] += token.text
