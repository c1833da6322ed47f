"""clang's errors in g++'s words, as far as the emulator reads them: which name is unknown, what failed, what is declared twice."""

import re

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


def in_gnu_words(errors: str) -> str:
    """`errors` with clang's phrases replaced; what g++ said stays as it is."""
    for phrase, words in _PHRASES:
        errors = re.sub(phrase, words, errors)
    return errors
