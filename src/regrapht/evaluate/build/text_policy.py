"""The candidate's contract, as far as its text shows: what it may include and call. The sandbox holds where text can be fooled.

Only unmistakable breaches are refused here. Everything else (prints, extra symbols, threads) is judged by what the program does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from regrapht.evaluate.build.ambiguous_text import ambiguity, directive_fault
from regrapht.evaluate.build.assembler_text import assembler_fault
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.candidate import Candidate, NoSource
from regrapht.records.task import Task
from regrapht.records.verdict import (
    Status,
)
from regrapht.source.nesting import too_deep
from regrapht.source.tokens import Token, TokenKind, tokens

LIBRARIES = {
    "cub": ("cub/",),
    "thrust": ("thrust/",),
    "cublas": ("cublas", "cublasLt"),
    "cufft": ("cufft",),
    "curand": ("curand",),
    "cusparse": ("cusparse",),
    "cusolver": ("cusolver",),
    "cudnn": ("cudnn",),
    "cutlass": ("cutlass/", "cute/"),
    "nccl": ("nccl",),
    "npp": ("npp",),
    "libcu++": ("cuda/", "nv/"),
}
"""Library -> how its headers start."""
_LANGUAGE = re.compile(
    r"cuda(_runtime|_runtime_api|_fp16|_bf16|_fp8|_pipeline|_pipeline_primitives|_awbarrier)?\.h(pp)?"
    r"|(cooperative_groups|cooperative_groups/\w+|device_launch_parameters|device_functions|math_constants|math_functions"
    r"|vector_types|vector_functions|sm_\w+|mma|driver_types|builtin_types|cuComplex|texture_fetch_functions)(\.h)?"
)


# fmt: off
_FORBIDDEN_STANDARD = frozenset({
    "thread", "future", "mutex", "condition_variable", "fstream", "filesystem", "csignal", "signal.h", "csetjmp",
    "setjmp.h", "jthread", "stop_token",
})
_STANDARD = frozenset({
    "algorithm", "any", "array", "assert.h", "bit", "bitset", "cassert", "cctype", "cerrno", "cfloat", "chrono",
    "cinttypes", "climits", "cmath", "complex", "concepts", "cstdarg", "cstddef", "cstdint", "cstdio", "cstdlib",
    "cstring", "ctime", "ctype.h", "deque", "errno.h", "exception", "float.h", "forward_list", "functional",
    "initializer_list", "inttypes.h", "iomanip", "ios", "iostream", "istream", "iterator", "limits", "limits.h",
    "list", "map", "math.h", "memory", "new", "numbers", "numeric", "optional", "ostream", "queue", "random",
    "ranges", "ratio", "set", "span", "sstream", "stack", "stdbool.h", "stddef.h", "stdexcept", "stdint.h",
    "stdio.h", "stdlib.h", "streambuf", "string", "string.h", "string_view", "system_error", "time.h", "tuple",
    "type_traits", "typeinfo", "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector",
    "version",
})
_FORBIDDEN_CALLS = frozenset({
    "fork", "vfork", "execv", "execve", "execvp", "execl", "system", "popen", "dlopen", "dlsym", "dlmopen",
    "pthread_create", "ptrace", "mprotect", "mmap", "syscall", "fopen", "freopen", "sigaction", "atexit",
    "at_quick_exit", "_exit", "_Exit", "quick_exit", "socket", "connect", "process_vm_writev", "process_vm_readv",
    "setenv", "putenv", "getenv", "set_terminate", "set_new_handler", "set_unexpected",
})


# fmt: on
LONGEST_SOURCE = 2**18
"""Characters of a candidate. Reading it takes time of this process, which no sandbox limits."""
_PLAIN_NAME = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*")
_ASSEMBLER_FILE = re.compile(r"\.incbin|\.include\b")
_RUNS_WHEN_LOADED = re.compile(r"(__)?(constructor|destructor|ifunc)(__)?")
_UNCHECKED = re.compile(r"(__)?no_sanitize|disable_sanitizer_instrumentation")
"""Attributes that keep a compiler from instrumenting a function."""
_PROCESSOR = re.compile(
    r"__builtin_(ia32|cpu)_\w+|__builtin_readcyclecounter|__?rdtscp?|_rd(rand|seed|pmc|pid)\w*|_x[gs]etbv"
)
"""What asks or sets the host's processor: its clock, chance, model, modes of rounding."""
_OF_THE_LINKER = frozenset(
    (
        *(
            "__ehdr_start",
            "__executable_start",
            "__etext",
            "_etext",
            "etext",
            "_edata",
            "edata",
            "__bss_start",
            "_end",
            "end",
        ),
        *(
            "_DYNAMIC",
            "_GLOBAL_OFFSET_TABLE_",
            "__dso_handle",
            "__init_array_start",
            "__init_array_end",
            "__fini_array_start",
        ),
    )
)
"""Names by which the linker tells where an object lies in memory; a program has to declare them itself."""
_LIBRARY_CALLS = re.compile(r"(cublas|cufft|cusparse|cusolver|cudnn|curand|npp)[A-Z]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """Why a candidate's text is refused."""

    status: Status
    message: str
    line: int | None = None


def parse(candidate: Candidate, task: Task) -> None:
    """The parse stage: there is code, it names the entry, and it keeps the contract as far as its text shows.

    Raises:
        Rejected: It does not.
    """
    if candidate.source is None:
        status = Status.SKIPPED if candidate.no_source is NoSource.SKIPPED else Status.UNPARSABLE
        raise Rejected(status, candidate.reason or "no code")
    breach = check_text(candidate.source, task)
    if breach is not None:
        raise Rejected(breach.status, breach.message)


def check_text(source: str, task: Task) -> Breach | None:
    """The first breach of the contract that the text shows, or None."""
    if len(source) > LONGEST_SOURCE:
        message = f"the code has {len(source)} characters; at most {LONGEST_SOURCE} are judged"
        return Breach(status=Status.POLICY_REJECTED, message=message)
    if (deep := too_deep(source)) is not None:
        return Breach(status=Status.POLICY_REJECTED, message=deep)
    stream = list(tokens(source))
    if (unclear := ambiguity(source, stream)) is not None:
        return _refused(unclear[1], unclear[0])
    if not any(token.kind is TokenKind.NAME and token.text == task.entry for token in stream):
        return Breach(status=Status.UNPARSABLE, message=f"the code does not define {task.entry}: {task.signature}")
    for line, directive in _directives(stream):
        if breach := _check_directive(directive, line, task):
            return breach
    if breach := check_calls(stream, task):
        return breach
    assembler = assembler_fault(stream)
    return None if assembler is None else _refused(assembler[1], assembler[0])


def _directives(stream: list[Token]) -> list[tuple[int, list[Token]]]:
    """Each preprocessor line with its tokens, without blanks."""
    found: list[tuple[int, list[Token]]] = []
    inside = False
    for token in stream:
        if token.kind is TokenKind.DIRECTIVE:
            inside = True
            found.append((token.line, []))
        elif token.kind is TokenKind.DIRECTIVE_END:
            inside = False
        elif inside and token.kind is not TokenKind.BLANK:
            found[-1][1].append(token)
    return found


def _check_directive(directive: list[Token], line: int, task: Task) -> Breach | None:
    if (fault := directive_fault(directive)) is not None:
        return _refused(fault, line)
    if directive and directive[0].text in ("if", "elif"):
        return _check_questions(directive, line, task)
    if not directive or directive[0].text != "include":
        return None
    name = _named_header(directive[1:])
    if name is None:
        return _refused("#include of a macro, or of what is no name: name the header", line)
    return check_header(name, line, task)


def _named_header(words: list[Token]) -> str | None:
    """The name in `<name>` or `"name"`, as the tokens spell it; None where they do not."""
    if words and words[0].kind is TokenKind.STRING and words[0].text.startswith('"'):
        return words[0].text[1:-1] if words[0].text.endswith('"') else None
    if words and words[0].text == "<":
        for place, word in enumerate(words):
            if word.text.startswith(">"):
                return "".join(word.text for word in words[1:place])
    return None


def _check_questions(directive: list[Token], line: int, task: Task) -> Breach | None:
    """`__has_include` may ask for what may be included, not which files a machine has."""
    for place, word in enumerate(directive):
        if word.text == "__has_embed":
            return _refused("__has_embed is not allowed", line)
        if word.text in ("__has_include", "__has_include_next") and _opens(directive, place + 1):
            name = _named_header(directive[place + 2 :])
            if name is None or word.text == "__has_include_next":
                return _refused(f"{word.text} of a macro, or of what is no name: name the header", line)
            if breach := check_header(name, line, task):
                return breach
    return None


def _opens(words: list[Token], place: int) -> bool:
    """Whether a parenthesis opens there: it does not behind `defined(__has_include`."""
    return place < len(words) and words[place].text == "("


def check_header(name: str, line: int, task: Task) -> Breach | None:
    """Why a candidate for `task` may not include the header of this name, or None."""
    if not _PLAIN_NAME.fullmatch(name) or ".." in name:
        return _refused(f'"{name:.80}" is not a header of the C++ standard library or of CUDA but a path', line)
    if name in _STANDARD or _LANGUAGE.fullmatch(name):
        return None
    for library, starts in LIBRARIES.items():
        if name.startswith(starts):
            if library in task.contract.allow_libraries:
                return None
            return _refused(
                f"<{name}> belongs to {library}, which this task does not allow: write the kernel yourself", line
            )
    if name in _FORBIDDEN_STANDARD:
        return _refused(f"<{name}> is not allowed: no threads, files or signals", line)
    return _refused(
        f'"{name}" is not a header of the C++ standard library or of CUDA: put its text into the program, or name it beside the file '
        "(regrapht check TASK FILE.cu HEADER.h)",
        line,
    )


def check_calls(stream: Sequence[Token], task: Task) -> Breach | None:
    """The first call, attribute or assembler text among these tokens that a candidate for `task` may not have, or None."""
    previous: Token | None = None
    text, declared_elsewhere = "", False
    for token, following in zip_longest(stream, stream[1:]):
        if token.kind is TokenKind.NAME:
            if token.text in _FORBIDDEN_CALLS and _is_call(previous, following):
                return _refused(f"{token.text} is not allowed: a candidate only computes its outputs", token.line)
            match = _LIBRARY_CALLS.fullmatch(token.text)
            if match and match[1] not in task.contract.allow_libraries:
                return _refused(f"{token.text} belongs to {match[1]}, which this task does not allow", token.line)
            if (
                _RUNS_WHEN_LOADED.fullmatch(token.text)
                and previous is not None
                and previous.text in ("(", ",", ":", "::")
            ):
                return _refused("functions that run when the object is loaded are not allowed", token.line)
            if _PROCESSOR.fullmatch(token.text):
                return _refused(f"{token.text} is not allowed: it asks the host's processor", token.line)
            if declared_elsewhere and token.text in _OF_THE_LINKER:
                return _refused(f"{token.text} is not allowed: it says where the program lies in memory", token.line)
            if _UNCHECKED.match(token.text):
                return _refused(f"{token.text}: every access has to be checked", token.line)
        elif token.kind is TokenKind.STRING:
            text = (text if previous is not None and previous.kind is TokenKind.STRING else "") + token.text[1:-1]
            if (file := _ASSEMBLER_FILE.search(text)) is not None:  # adjacent strings are one
                return _refused(f"{file.group()} is not allowed", token.line)
        elif token.text == ":" and previous is not None and previous.text == "%":
            return _refused("directives begin with #", token.line)
        if token.text in (";", "{", "}"):
            declared_elsewhere = False
        elif token.text == "extern":
            declared_elsewhere = True
        previous = token
    return None


def _is_call(previous: Token | None, following: Token | None) -> bool:
    """Whether a name between these two tokens is called as a free function: no member, and no declaration after a type's name."""
    if following is None or following.text != "(":
        return False
    if previous is None:
        return True
    if previous.kind is TokenKind.NAME:
        return previous.text in ("return", "else", "do", "throw")
    return previous.text not in (".", "->")


def _refused(message: str, line: int) -> Breach:
    return Breach(status=Status.POLICY_REJECTED, message=f"line {line}: {message}", line=line)
