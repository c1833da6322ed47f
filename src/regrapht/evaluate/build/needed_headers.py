"""Names of the standard library that a program uses without their header: the emulator's headers have them, nvcc's do not.

nvcc includes some headers by itself (`source/header_names.py`), the emulator more. So a `printf` in a kernel without <cstdio> builds here
and not there. Which header brings which other one is the compiler's to say: it is asked, without the emulator's headers, where a name of
the tables is used and the header that is named for it is not included.
"""

import re
from collections.abc import Iterable

from regrapht import settings
from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.build.compiler_evidence import own_lines
from regrapht.evaluate.judgement import feedback
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.source.header_names import PLAIN, STD
from regrapht.source.tokens import Token, TokenKind, tokens

_LIMITS = Limits(wall_s=30, cpu_s=5, memory_bytes=2**30)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([\w./+-]+)[>\"]", re.MULTILINE)
_BY_ITSELF = (
    "cmath",
    "cstdlib",
    "climits",
    "limits",
    "utility",
    "type_traits",
    "string.h",
    "time.h",
    "stddef.h",
    "limits.h",
    "math.h",
)
"""What nvcc includes before a program."""
_C = frozenset({"cstdint", "cstdio", "cassert", "cfloat", "cfenv", "cstring", "cctype"})
_GIVE_NONE = re.compile(
    r"cuda_runtime(_api)?\.h|cuda_(fp16|bf16)\.h|mma\.h|math_constants\.h|cuComplex\.h|device_launch_parameters\.h|device_functions\.h"
    r"|math_functions\.h|vector_types\.h|vector_functions\.h|driver_types\.h|builtin_types\.h|sm_\w+\.h"
)
_GIVE_C = re.compile(
    r"cooperative_groups\.h|cooperative_groups/\w+\.h|cuda/(pipeline|barrier|atomic)|cuda_fp8\.h|cuda_pipeline\w*\.h"
)
"""Of CUDA's own headers: those without any of these names, and those with more or fewer of C's. The rest may have all."""
# fmt: off
_TYPES = frozenset({
    "void", "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "auto", "struct", "class", "union", "enum",
    "using", "namespace",
})
# fmt: on
_MACRO = re.compile(r"assert|stderr|stdout|EOF|[A-Z][A-Z0-9]*_\w+")


def require_headers(source: str, *, sandbox: Sandbox, emulator: Emulator) -> None:
    """Raise for a program that uses a name whose header it does not include, nor anything that brings it.

    Raises:
        Rejected: BUILD_FAILED, with the line, the name and the header, as nvcc would refuse it.
        EvaluatorUnavailable: The sandbox did not start.
    """
    included = _INCLUDE.findall(source)
    asked = {name: header for name, header in _uses(tokens(source)).items() if not _is_given(header[1], included)}
    if not asked:
        return
    macros = sorted(name for name in asked if _MACRO.fullmatch(name))
    read = emulator.preprocess("".join(f"#undef {name}\n" for name in macros) + source)
    if not read.complete:
        return  # what is wrong with its directives is told elsewhere
    active: dict[str, tuple[int, str]] = {}
    for line, text in own_lines(read.text):
        for name, (place, header) in _uses(tokens(text)).items():
            active.setdefault(name, (line + place - 1 - len(macros), header))
    missing = _unknown([name for name in asked if name in active], included, sandbox)
    if missing:
        name = min(missing, key=lambda one: active[one][0])
        line, header = active[name]
        reason = f"line {line}: {name} needs #include <{header}>"
        raise Rejected(Status.BUILD_FAILED, reason, feedback=feedback.build_errors(reason), output=reason)


def _uses(stream: Iterable[Token]) -> dict[str, tuple[int, str]]:
    """Names of the tables in these tokens that the program does not declare itself: `std::sort` or `printf`, with first line and header."""
    found: dict[str, tuple[int, str]] = {}
    own: set[str] = set()
    before = ("", "", "")
    directive = ""
    for token in stream:
        if token.kind in (TokenKind.BLANK, TokenKind.DIRECTIVE, TokenKind.DIRECTIVE_END):
            directive = (
                "#" if token.kind is TokenKind.DIRECTIVE else "" if token.kind is TokenKind.DIRECTIVE_END else directive
            )
            continue
        directive = token.text if directive == "#" else directive
        if token.kind is TokenKind.NAME and directive in ("", "define"):
            qualified = before[2] == "::" and before[1] == "std"
            header = STD.get(token.text) if qualified else PLAIN.get(token.text)
            if not qualified and (before[2] in _TYPES or (directive and before[2] == "define") or before[2] == "~"):
                own.add(token.text)
            elif (
                header is not None
                and before[2] not in (".", "->")
                and (qualified or before[2] != "::" or not _is_scope(before[1]))
            ):
                found.setdefault(f"std::{token.text}" if qualified else token.text, (token.line, header))
        before = (before[1], before[2], token.text)
    return {name: place for name, place in found.items() if name not in own and _is_of_c_or_std(name, place[1])}


def _is_scope(before: str) -> bool:
    """Whether a name after `before` and `::` is one of a scope's, and not of the global one."""
    return re.search(r"[\w>]$", before) is not None and before not in ("return", "else", "const")


def _is_of_c_or_std(name: str, header: str) -> bool:
    return name.startswith("std::") or header in _C


def _is_given(header: str, included: list[str]) -> bool:
    """Whether what is included surely has what `header` has, or may have it for all that is known of CUDA's headers and of libraries."""
    plain = {header, f"{header[1:]}.h"} if header in _C else {header}
    for one in included:
        if one in plain or (header in _C and _GIVE_C.fullmatch(one)):
            return True
        if (
            ("." not in one and "/" not in one)
            or one.removesuffix(".h") in {name[1:] for name in _C}
            or one in _BY_ITSELF
        ):
            continue  # of the standard library: the compiler is asked
        if not _GIVE_NONE.fullmatch(one) and not _GIVE_C.fullmatch(one) and one.count(".h") + one.count("/"):
            return True
    return False


def _unknown(names: list[str], included: list[str], sandbox: Sandbox) -> list[str]:
    """Which of `names` the compiler does not know after what nvcc includes by itself and the standard headers among `included`."""
    if not names:
        return []
    headers = [*_BY_ITSELF, *(one for one in included if "/" not in one and not _GIVE_NONE.fullmatch(one))]
    lines = [f"#include <{header}>" for header in dict.fromkeys(headers) if not _GIVE_C.fullmatch(header)]
    for number, name in enumerate(names):
        lines.append(f'#line 1 "name{number}"')
        if _MACRO.fullmatch(name):
            lines += [f"#ifndef {name}", "#error", "#endif"]
        else:
            lines.append(f"namespace n{number} {{ using {name if '::' in name else '::' + name}; }}")
    command = Command(
        argv=(settings.cxx(), "-std=c++17", "-fsyntax-only", "-fno-diagnostics-show-caret", "-x", "c++", "names.cpp"),
        files={"names.cpp": ("\n".join(lines) + "\n").encode()},
        environment={"LC_ALL": "C"},
    )
    done = sandbox.run(command, _LIMITS)
    if done.ok or done.stopped is not None:
        return []
    told = {int(number) for number in re.findall(r"^name(\d+):\d+:\d+: error", done.stderr, re.MULTILINE)}
    return [name for number, name in enumerate(names) if number in told]
