"""Text that could mean one thing to the compiler that checks it and another to the one whose program is used.

A candidate is compiled by nvcc for a GPU, and by g++ or clang for the emulator. Their languages are made alike (`emulate/toolchain.py`,
`as_nvcc.h`); what still differs is named here. Names of the checkers themselves no kernel has a use for: they are refused. Other names by
which a text can tell compilers apart are labels, as are lines of the host's that only one of the two compilers reads.
"""

import re
from collections.abc import Iterator

from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.source.syntax import SourceText, SyntaxNode, text_of, walk
from regrapht.source.tokens import Token, TokenKind, tokens

CONDITION = "toolchain_condition"
"""The label, with a name, of a text that depends on what one compiler defines and another does not."""
HOST_LINES = "host_lines_unchecked"
"""The label of host code that stands under a condition on `__CUDA_ARCH__`: the emulator reads the device's side of it alone."""
_OURS = re.compile(
    r"EMULATED_?\w*|emulated|emulated_\w+|Emulated[A-Z]\w*|REGRAPHT\w*|regrapht_\w+|__(wrap|real)_\w+"
    r"|_*(tsan|asan|ubsan|msan|sanitizer)_\w+|__SANITIZE_\w+|_GLOBAL__\w*|__sti_\w*|_sub_[ID]_\w+|frame_dummy"
)
_ALIKE = frozenset(
    (
        *("__CUDA_ARCH__", "__CUDACC__", "__NVCC__", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__", "CUDART_VERSION"),
        *("__cplusplus", "__GNUC__", "__GNUC_MINOR__", "__linux__", "__unix__", "__x86_64__", "__LP64__", "__CHAR_BIT__"),
        *("_WIN32", "_WIN64", "_MSC_VER", "__APPLE__", "__MINGW32__", "__CUDACC_RTC__", "__HIP__", "__HIPCC__", "__HIP_PLATFORM_AMD__"),
        *("__INTELLISENSE__", "__STDC__", "__STDC_HOSTED__", "__ORDER_LITTLE_ENDIAN__", "__BYTE_ORDER__", "NULL", "RAND_MAX"),
    )
)  # fmt: skip
"""Macros that all compilers of a candidate define alike, or not at all."""
_OUTSIDE = re.compile(
    r"_\w+|CU[A-Z_]\w*|cuda[A-Z]\w+|CLOCKS_PER_SEC|TIME_UTC|EOF|BUFSIZ|\w+_MAX|\w+_MIN|\w+_WIDTH|(to|is)ascii(_l)?|is\w+_l"
    r"|(ADJ|CLOCK|MOD|STA|TIMER|FLT|DBL|LDBL|DECIMAL|U?INT\w*|PTRDIFF|SIZE|SIG_ATOMIC|W?CHAR|WINT|FE|FP|M|HUGE|SEEK|L|P|TMP|RENAME)_\w+"
    r"|SNANF?\w*|HUGE_VAL\w*|INFINITY|NAN|stdin|stdout|stderr|assert\w*|P_tmpdir|L_tmpnam"
)
"""How the names of macros look that compilers or headers define, and so perhaps not all alike."""
_DIFFERENT = re.compile(
    r"__(COUNTER|DATE|TIME|TIMESTAMP|VERSION|BASE_FILE|INCLUDE_LEVEL|OPTIMIZE|OPTIMIZE_SIZE|NO_INLINE|PIC|pic|PIE|pie|CUDACC_VER_BUILD|FMA|F16C"
    r"|POPCNT|XSAVE|CRC32|AVX\w*|SSE\w*|SSSE3|GLIBC\w*|GLIBCXX|EXCEPTIONS|clang\w*|EDG\w*|NVCOMPILER\w*|INTEL\w*|CUDA_ARCH_\w+|CUDACC_\w+)__"
    r"|__cpp_\w+|__has_\w+|__FP_FAST_\w+|FP_FAST_\w+|__clang__|__NVCOMPILER|__EDG__|__ELF__|_GLIBCXX\w*|__builtin_(FILE|COLUMN)"
    r"|__PRETTY_FUNCTION__|__builtin_(constant_p|object_size|dynamic_object_size|is_constant_evaluated)|is_constant_evaluated|source_location|typeid"
)
"""Macros that are known to differ, and words for what a compiler knows or how it spells a name: a text with one anywhere is labelled."""
_CONDITIONALS = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"))


def examine(draft: Draft) -> None:
    """Refuse a candidate that names what checks it (raises `Rejected`), and label one that can tell compilers apart."""
    refuse_names_of_checkers(draft.source)
    for label in toolchain_labels(draft.source):
        draft.label(label)


def refuse_names_of_checkers(source: str) -> None:
    """Raise `Rejected` where the text names what belongs to the emulator, to a sanitizer or to the compiler's own start-up code."""
    for token in tokens(source):
        if token.kind is TokenKind.NAME and _OURS.fullmatch(token.text):
            message = f"line {token.line}: {token.text} belongs to the tools that check the program"
            raise Rejected(Status.POLICY_REJECTED, message, feedback=f"{message}. Use names of your own.")


def toolchain_labels(source: str) -> tuple[str, ...]:
    """The labels of a text that does not mean the same to all compilers, for all that is known."""
    stream = list(tokens(source))
    names = {token.text for token in _conditions(stream) if _depends_on_outside(token.text)}
    names |= {token.text for token in stream if token.kind is TokenKind.NAME and _DIFFERENT.fullmatch(token.text)}
    names -= _ALIKE
    labels = [f"{CONDITION} {name}" for name in sorted(names)]
    if any(token.text == "__CUDA_ARCH__" for token in stream) and _host_lines_depend(source):
        labels.append(HOST_LINES)
    return tuple(labels)


def _depends_on_outside(name: str) -> bool:
    return name not in _ALIKE and _OUTSIDE.fullmatch(name) is not None


def _conditions(stream: list[Token]) -> Iterator[Token]:
    """The names in conditions of the preprocessor, and in the definitions of macros: conditions may use these."""
    keyword: str | None = None
    inside = False
    for token in stream:
        if token.kind is TokenKind.DIRECTIVE:
            inside, keyword = True, None
        elif token.kind is TokenKind.DIRECTIVE_END:
            inside = False
        elif inside and token.kind is TokenKind.NAME:
            if keyword is None:
                keyword = token.text
            elif keyword in _CONDITIONALS and token.text not in ("defined", "true", "false", "and", "or", "not"):
                yield token


def _host_lines_depend(source: str) -> bool:
    """Whether anything stands under a condition on `__CUDA_ARCH__`, or on a macro made of it, outside of code for the device alone."""
    text = SourceText(source, cuda=True)
    keyed = {"__CUDA_ARCH__"}
    for node in walk(text.root):
        if node.type in ("preproc_def", "preproc_function_def") and any(name in text_of(node) for name in keyed):
            named = node.child_by_field_name("name")
            keyed.add(text_of(named) if named is not None else "__CUDA_ARCH__")
    conditional = ("preproc_if", "preproc_ifdef", "preproc_elif")
    for node in (each for each in walk(text.root) if each.type in conditional):
        condition = node.child_by_field_name("condition") or node.child_by_field_name("name")
        if condition is not None and any(name in text_of(condition) for name in keyed) and not _is_device_code(node):
            return True
    return False


def _is_device_code(node: SyntaxNode) -> bool:
    """Whether a node lies in a function that runs on the device alone."""
    while (node := node.parent) is not None:
        if node.type == "function_definition":
            head = text_of(node).partition("{")[0]
            return "__global__" in head or ("__device__" in head and "__host__" not in head)
    return False
