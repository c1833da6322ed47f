"""The functions of C's standard library that CUDA has too, and names that generated code may not give to others."""

import re

from regrapht.transform.ir.expressions import ONE, Binary, Call, Cast, Expression

_MATH_NAMES = """
abs acos asin atan atan2 cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod hypot isfinite isinf isnan
ldexp lgamma llrint llround log log10 log1p log2 lrint lround max min nearbyint pow remainder rint round signbit sin sinh sqrt tan tanh
tgamma trunc
"""
_MATH = frozenset(_MATH_NAMES.split())
_TAKEN_NAMES = """
acosh asinh atanh clock cospi cyl_bessel_i0 cyl_bessel_i1 dim3 double2 erfcinv erfcx erfinv exp10 float2 float4 frexp ilogb int2 j0 j1 jn
lerp logb modf mul24 mulhi nextafter norm norm3d norm4d normcdf normcdfinv rcbrt remquo rhypot rnorm rnorm3d rnorm4d rsqrt saturate scalbln
scalbn sincos sincospi sinpi tanpi umax umin umul24 umulhi y0 y1 yn
floor_divide turns_of std_max std_min
"""
_TAKEN = frozenset(_TAKEN_NAMES.split())
"""What else CUDA, the library of a newer C++, or a candidate has under its own name."""


def is_math(name: str) -> bool:
    """Whether CUDA has a function of this name with the meaning of C's standard library."""
    return name in _MATH or (name.endswith("f") and name[:-1] in _MATH)


def helper_name(name: str) -> str:
    """The name of a helper in generated code: its own, unless CUDA has something of that name."""
    taken = is_math(name) or name in _TAKEN or (name.endswith("f") and name[:-1] in _TAKEN)
    return f"own_{name}" if taken else name


def counted_bits(name: str, values: tuple[Expression, ...]) -> Expression | None:
    """CUDA's function for one of the compiler's that count bits; None for others. Where those are undefined, this is something."""
    found = re.fullmatch(r"__builtin_(popcount|ctz|clz)(l|ll)?", name)
    if found is None or len(values) != 1:
        return None
    wide = "ll" if found[2] else ""
    value = Cast("unsigned long long" if wide else "unsigned int", values[0])
    if found[1] == "ctz":
        return Binary("-", Call(f"__ffs{wide}", (value,)), ONE)
    return Call(f"__{'popc' if found[1] == 'popcount' else 'clz'}{wide}", (value,))
