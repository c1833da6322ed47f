"""What makes a program's calls differ from each other though their inputs do not: chance, clocks, and what it keeps from call to call.

No number of tries shows that such a program is right each time, so it passes with a label that says what its answers may hang on.
"""

import re
from itertools import zip_longest

from regrapht.emulate.emulator import EmulatedRun
from regrapht.evaluate.judgement.draft import Draft
from regrapht.source.tokens import TokenKind, tokens, without_comments

CHANCE = "may_hang_on"
"""The label, with a name, of a text that asks for a clock or for chance."""
KEEPS_STATE = "keeps_state"
"""The label of a program whose own variables go on changing from call to call: it may give another answer in a later one."""
_CALLED = frozenset(
    (
        "clock",
        "clock64",
        "time",
        "rand",
        "random",
        "rand_r",
        "drand48",
        "getpid",
        "gettimeofday",
        "clock_gettime",
        "getrandom",
        "getentropy",
    )
)
_NAMED = frozenset(
    (
        "random_device",
        "system_clock",
        "steady_clock",
        "high_resolution_clock",
        "__rdtsc",
        "globaltimer",
        "cudaEventElapsedTime",
        "cudaMemGetInfo",
        "cudaMemPoolGetAttribute",
        "cudaDriverGetVersion",
        "cudaRuntimeGetVersion",
        "timespec_get",
    )
)
ADDRESSES = "addresses"
_WHOLE = r"(?:unsigned\s+)?(?:long(?:\s+long)?(?:\s+int)?|size_t|u?int64_t|u?intptr_t|(?:std::)?u?intptr_t)"
_TO_WHOLE = rf"(?:\(\s*{_WHOLE}\s*\)|reinterpret_cast<\s*{_WHOLE}\s*>\s*\()"
_CAST = re.compile(rf"{_TO_WHOLE}\s*(\w+)\b(?!\s*(?:\[|->|\())")
_OF_A_VARIABLE = re.compile(rf"{_TO_WHOLE}\s*&\s*\w|__builtin_(?:return|frame|extract_return)_addr")
_POINTER = re.compile(r"\*\s*(?:(?:__restrict__|__restrict|const|volatile)\s+)*(\w+)\s*[,);=]")
_REGISTERS = ("%clock", "%globaltimer", "%smid", "%warpid", "%pm", "rdtsc", "rdrand", "rdseed")


def label_text(draft: Draft) -> None:
    """Label a candidate that names a clock or a source of chance, or takes a pointer for a number."""
    for name in chance_in(draft.source):
        draft.label(f"{CHANCE} {name}")


def chance_in(source: str) -> tuple[str, ...]:
    """The clocks and sources of chance that a text names."""
    words = [token for token in tokens(source) if token.kind is not TokenKind.BLANK]
    found = set()
    for token, following in zip_longest(words, words[1:]):
        if token.kind is TokenKind.NAME and (
            token.text in _NAMED or (token.text in _CALLED and following is not None and following.text == "(")
        ):
            found.add(token.text)
        elif token.kind is TokenKind.STRING:
            found |= {register for register in _REGISTERS if register in token.text}
    bare = without_comments(source, without_strings=True)
    if set(_CAST.findall(bare)) & set(_POINTER.findall(bare)) or _OF_A_VARIABLE.search(bare):
        found.add(ADDRESSES)
    return tuple(sorted(found))


def label_run(draft: Draft, run: EmulatedRun) -> None:
    """Label a candidate that was seen to keep something from call to call."""
    if run.keeps_state:
        draft.label(KEEPS_STATE)
