"""What one x86 instruction of a checked build stands for on a GPU, in instructions and floating-point operations.

The compiler makes x86 code with sixteen registers, a frame for what does not fit, and a call of our hook before each access. What of that a
GPU would not execute weighs nothing:

* moves between registers, from constants, and to and from fixed places of the thread's frame: with 255 registers, those are registers.
  Arrays of a thread that are indexed by constants, as in unrolled loops, are such places. An array that is indexed by a variable is in
  local memory; each such access is one instruction.
* the address handed to the hook of an access: a GPU adds a constant in the load itself.

An access to global, shared or `__device__` memory weighs one, whatever its width. Divisions, square roots and functions of the library
weigh what nvcc 13.0 makes of them for compute capability 9.0, by the length of their usual path. So do CUDA's own functions: their headers
carry their weights (`runtime/include/emulated/weights.h`), and what the host executes in their place is not counted.
"""

import re
from dataclasses import dataclass

_MARK = 0x4D_0000
"""Of a `nopl` that carries a weight in its displacement: flops in the second byte, instructions in the lowest."""
_MARKED = re.compile(r"0x([0-9a-f]+)\(%rax\)$")
_FLOP = re.compile(r"v?(add|sub|mul|div|sqrt|max|min)s[sd]$")
_FUSED = re.compile(r"vfn?m(add|sub)\d+s[sd]$")
_PACKED = re.compile(r"v?(add|sub|mul|div|sqrt)p[sd]$")
_MOVE = re.compile(r"v?mov[a-z0-9]*$|(cltq|cwtl|push|pop|leave|endbr64|nop[wl]?|cs|data16)$")
_INDEXED_FRAME = re.compile(r"\(%rsp,%|\(%r\w+,%rsp")
_SAME = re.compile(r"(%\w+),\1(,%\w+)?$")
_ACCESS = re.compile(
    r"<__tsan_(unaligned_|volatile_)*(read|write|atomic)|<__tsan_unaligned_volatile_|<__wrap_(mem|b|str|stp)"
)
_ONE_EACH = re.compile(
    r"<emulated_(warp|async_copy|async_wait|atomic\d*|atomic_update|barrier|grid_sync|fence|lane|clock)@"
)
_OWN = re.compile(r"<(__tsan_|emulated_|__wrap_([cm]|re)alloc|__wrap_free|__sanitizer_|__ubsan_)")
_NO_ARITHMETIC = re.compile(r"<(v?printf|puts|putchar|mem\w+|str\w+)@plt")
_LIBRARY = re.compile(r"<(?:__wrap_)?_?_?(\w+?)(_finite)?@plt")
_LIBRARY_FLOPS, _LIBRARY_INSTRUCTIONS = 10, 20
"""Of a function of the library that is not listed."""
_LONG = (
    (("fmaxf", "fminf", "fabsf", "floorf", "ceilf", "truncf", "rintf", "nearbyintf", "copysignf", "fmaf"), 1, 1),
    (("floor", "ceil", "trunc", "rint", "nearbyint", "copysign", "fabs", "fma"), 1, 1),
    (("roundf", "round", "fdimf", "fmax", "fmin", "lrintf"), 4, 1),
    (("exp2f", "rsqrtf"), 4, 10),
    (("sqrtf",), 8, 1),
    (("sqrt",), 16, 1),
    (("expf", "exp10f"), 10, 10),
    (("tanhf", "coshf", "cbrtf", "atanf"), 17, 10),
    (("logf", "log2f", "log10f", "log1pf", "expm1f", "sinhf", "asinf", "acosf", "erff"), 28, 10),
    (("sinf", "cosf", "tanf", "sincosf", "erfcf", "hypotf"), 40, 10),
    (("powf", "atan2f", "fmodf", "remainderf", "tgammaf", "lgammaf"), 70, 10),
    (("exp", "exp2", "exp10", "log", "log2", "log10", "log1p", "expm1", "tanh", "erf"), 70, 10),
    (("sin", "cos", "tan", "sincos", "pow", "atan2", "fmod", "remainder", "tgamma", "lgamma", "erfc"), 130, 10),
)
"""(functions, instructions, flops)"""
_LIBRARY_WEIGHTS = {name: (instructions, flops) for names, instructions, flops in _LONG for name in names}
_SLOW = {
    "divss": (10, 1),
    "divsd": (16, 1),
    "sqrtss": (8, 1),
    "sqrtsd": (16, 1),
    "idivl": (25, 0),
    "divl": (18, 0),
    "idivq": (70, 0),
    "divq": (60, 0),
}
_WIDE_REGISTER = re.compile(r"%r([abcd]x|[sd]i|[bs]p|\d+)$")


@dataclass(frozen=True, slots=True)
class Weight:
    """What one x86 instruction stands for."""

    instructions: int = 0
    flops: int = 0
    accesses: int = 0
    """Hooks of accesses called."""
    addresses: int = 0
    """Instructions that compute an address or a sum: one for each access is free."""


_NOTHING, _ONE = Weight(), Weight(instructions=1)


def weight(operation: str, operands: str, *, weighed: bool) -> Weight:
    """The weight of one instruction of objdump's listing. `weighed`: it belongs to a header whose functions carry their own weights."""
    if operation.startswith("nopl") and (marked := _MARKED.match(operands)) is not None:
        carried = int(marked[1], 16)
        if carried & ~0xFFFF == _MARK:
            return Weight(instructions=carried & 0xFF, flops=carried >> 8 & 0xFF)
    if operation == "call":
        return _of_call(operands, weighed=weighed)
    if weighed or _is_free(operation, operands):
        return _NOTHING
    if operation == "lea":
        return Weight(addresses=1)
    if (slow := _slow(operation, operands)) is not None:
        return slow
    if _FUSED.match(operation):
        return Weight(instructions=1, flops=2)
    if _FLOP.match(operation):
        return Weight(instructions=1, flops=1)
    return Weight(instructions=1, flops=4) if _PACKED.match(operation) else _ONE


def _of_call(operands: str, *, weighed: bool) -> Weight:
    if _ACCESS.search(operands):
        return Weight(instructions=1, accesses=1)
    if _ONE_EACH.search(operands):
        return _ONE
    if weighed or _OWN.search(operands) or "@plt" not in operands:
        return _NOTHING
    if _NO_ARITHMETIC.search(operands):
        return Weight(instructions=_LIBRARY_INSTRUCTIONS)
    named = _LIBRARY.search(operands)
    instructions, flops = _LIBRARY_WEIGHTS.get(named[1] if named else "", (_LIBRARY_INSTRUCTIONS, _LIBRARY_FLOPS))
    return Weight(instructions=instructions, flops=flops)


def _is_free(operation: str, operands: str) -> bool:
    """Moves, except to and from arrays of the thread that are indexed by a variable; and what makes a zero."""
    if _MOVE.match(operation):
        return _INDEXED_FRAME.search(operands) is None
    if operation in ("xor", "vxorps", "vxorpd", "vpxor") and _SAME.match(operands):
        return True
    return operands.endswith(",%rsp") or operands == "%ax,%ax"


def _slow(operation: str, operands: str) -> Weight | None:
    name = operation.removeprefix("v")
    if name in ("div", "idiv"):
        name += "q" if _WIDE_REGISTER.match(operands) else "l"
    found = _SLOW.get(name)
    return None if found is None else Weight(instructions=found[0], flops=found[1])
