"""What the compiler's errors say, clang's in g++'s words: which CUDA name or header is missing, what failed, what is declared twice."""

import re

from regrapht.emulate.unsupported import Refusal, is_no_header_of_ours

_PHRASES = (
    (
        r"error: (?:use of undeclared identifier|unknown type name) '([\w:]+)'",
        r"error: '\1' was not declared in this scope",
    ),
    (
        r"error: no (?:type|template|member) named '(\w+)' in namespace '([^']+)'",
        r"error: '\1' is not a member of '\2'",
    ),
    (r"error: no member named '(\w+)' in '([^']+)'", r"error: '\2' has no member named '\1'"),
    (r"fatal error: '([\w/.-]+)' file not found", r"fatal error: \1: No such file or directory"),
    (r"attempt to use a poisoned identifier", "attempt to use poisoned"),
    (r"static_assert failed[^\n\"]*\"(unsupported: [^\"\n]*)\"", r"static assertion failed: \1"),
    (r"error: conflicting types for '(\w+)'", r"error: conflicting declaration of C function '\1(...)'"),
)
# How CUDA forms names. The compiler not knowing such a word is more likely our gap than the candidate's fault.
_CUDA_NAME = re.compile(
    r"__(v(add|sub|abs|max|min|cmp|set|avg|neg|had|sad|ia|ib|im)\w*|dp[24]a\w*|nv_\w+|[a-z]+2[a-z0-9]+_r[nzud]\w*|[fd](add|sub|mul|div|fma|ma|rcp|sqrt)\w*_r[nzud]"
    r"|ld[a-z]{2}|st[a-z]{2}|h\w+2?|half\w*|bfloat16\w*|float\w*2(half|bfloat16)\w*|\w+_sync|sad|usad|u?rhadd|u?hadd|byte_perm|funnelshift_\w+|u?mul24|u?mul(64)?hi"
    r"|nanosleep|prof_trigger|pm[0-3]|brkpt|is[A-Z]\w+|cvta_\w+|u128\w+|pipeline_\w+|threadfence\w*|syncthreads\w*|syncwarp)$"
    r"|^(atomic[A-Z]\w+|cuda[A-Z]\w+|make_[a-z]+\d\w*|norm[34]?d?f?|rnorm\w*|sinpif?|cospif?|sincos\w*|erfc?(inv|x)\w*|normcdf\w*|cyl_bessel\w*|CUDART_\w+)$"
)
_NAMESPACE_OF = {
    "cuda_fp16.h": "emulated_fp16",
    "cuda_bf16.h": "emulated_bf16",
    "cooperative_groups.h": "emulated_groups",
}
_UNKNOWN = re.compile(
    r"^\S*?:(\d+):\d+: error: .*?'(?:\w+::)*(\w+)(?:<[^']*>)?' "
    r"(?:was not declared|is not a member|has not been declared|does not name a type|is not a namespace-name)"
    r"|^\S*?:(\d+):\d+: error: there are no arguments to '(\w+)'",
    re.MULTILINE,
)
_NO_MEMBER = re.compile(
    r"^\S*?:(\d+):\d+: error: '[^']*?(?:emulated\w*|cuda)::[^']*' has no member named '(\w+)'", re.MULTILINE
)
_NO_FILE = re.compile(r"^\S*?:(\d+):\d+: fatal error: ([\w/.-]+): No such file", re.MULTILINE)


def in_gnu_words(errors: str) -> str:
    """`errors` with clang's phrases replaced; what g++ said stays as it is."""
    for phrase, words in _PHRASES:
        errors = re.sub(phrase, words, errors)
    return errors


def missing_header(errors: str) -> str | None:
    """What to say when a compiler's errors come from a CUDA header that the source does not include."""
    for line, name in _unknown_names(errors):
        if name in ("cooperative_groups", "__pipeline_memcpy_async"):
            header = "cooperative_groups.h" if name == "cooperative_groups" else "cuda_pipeline.h"
            return f"line {line}: {name} needs #include <{header}>"
        for header, space in _NAMESPACE_OF.items():  # the compiler says where it has seen the name
            if f"'{space}::{name}'" in errors:
                return f"line {line}: {name} needs #include <{header}>"
    return None


def unknown_name(errors: str) -> Refusal | None:
    """The CUDA name or header that a compiler's errors say is not there, if it is one."""
    members = [(int(match[1]), match[2]) for match in _NO_MEMBER.finditer(errors)]
    for line, name in [*members, *(each for each in _unknown_names(errors) if _CUDA_NAME.search(each[1]))]:
        return Refusal(name, line)
    missing = _NO_FILE.search(errors)
    if missing is not None and is_no_header_of_ours(missing[2]):
        return Refusal(missing[2], int(missing[1]))
    return None


def _unknown_names(errors: str) -> list[tuple[int, str]]:
    found = []
    for match in _UNKNOWN.finditer(errors):
        line, name = next((match[i], match[i + 1]) for i in (1, 3) if match[i])
        found.append((int(line), name))
    return found
