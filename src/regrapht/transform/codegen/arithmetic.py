"""Updates, identities and atomics of the operators that the engine combines values with."""

from collections.abc import Callable, Iterable

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import Expression
from regrapht.transform.ir.scalar_types import is_float, is_unsigned
from regrapht.transform.ir.statements import BIT_OPERATORS, Update

STANDARD = {
    f"std_{name}": f"""// As std::{name}: where one of the two is no number, the first stays. f{name} drops what is none.
template <typename T>
__host__ __device__ inline T std_{name}(T first, T second) {{
    return {test} ? second : first;
}}"""
    for name, test in (("max", "first < second"), ("min", "second < first"))
}
"""What CUDA, whose `max` of floats drops a NaN, does not have."""
_BITS = {"float": ("unsigned int", "uint", ""), "double": ("unsigned long long", "longlong", "(long long)")}
KEEPING = {
    f"keep_{name}_{kind}": f"""// Keeps the {size} of two values while other threads do so too; no NaN is taken, one that is there stays.
__device__ inline void keep_{name}_{kind}({kind}* place, {kind} value) {{
    {bits}* const own = ({bits}*)place;
    {bits} seen = atomicAdd(own, {zero});
    while (__{word}_as_{kind}({cast}seen) {order} value) {{
        const {bits} found = atomicCAS(own, seen, ({bits})__{kind}_as_{word}(value));
        if (found == seen) {{
            return;
        }}
        seen = found;
    }}
}}"""
    for name, size, order in (("max", "larger", "<"), ("min", "smaller", ">"))
    for kind, (bits, word, cast) in _BITS.items()
    for zero in ("0u" if kind == "float" else "0ull",)
}
"""Atomic maxima and minima of floats, which CUDA does not have: they choose as `if (place < value) place = value` does."""
WORDS = {"+": "sum", "*": "product", "max": "max", "min": "min", "&": "and", "|": "or", "^": "xor"}
_INFIX = ("+", "*", *BIT_OPERATORS)
_ATOMICS = {
    "+": "atomicAdd",
    "max": "atomicMax",
    "min": "atomicMin",
    "&": "atomicAnd",
    "|": "atomicOr",
    "^": "atomicXor",
}
_LIMITS = {
    "char": ("CHAR_MIN", "CHAR_MAX"),
    "signed char": ("SCHAR_MIN", "SCHAR_MAX"),
    "unsigned char": ("0", "UCHAR_MAX"),
    "short": ("SHRT_MIN", "SHRT_MAX"),
    "unsigned short": ("0", "USHRT_MAX"),
    "int": ("INT_MIN", "INT_MAX"),
    "unsigned int": ("0u", "UINT_MAX"),
    "long long": ("LLONG_MIN", "LLONG_MAX"),
    "unsigned long long": ("0ull", "ULLONG_MAX"),
}


def smaller(value: str, most: int, *, wide: bool) -> str:
    """C++ for the smaller of a count and a number. Where the count is `wide` both are made so: CUDA has no `min` of two types that are
    equally near. A product of sizes is wide by itself."""
    cast = "(long long)" if wide or "(long long)" in value else ""
    return f"min({cast}({value}), {cast}{most})" if cast else f"min({value}, {most})"


def combined(left: str, operator: str, right: str, type_name: str) -> str:
    """`left operator right` as C."""
    if operator in _INFIX:
        return f"{left} {operator} {right}"
    if type_name == "float":
        return f"f{operator}f({left}, {right})"
    if type_name == "double":  # the library's fmin of a double and a float is none that a device can call
        return f"f{operator}({left}, (double)({right}))"
    return f"{operator}({left}, ({type_name})({right}))"


def update(target: str, operator: str, value: str, type_name: str) -> str:
    """The statement that combines `value` into `target`."""
    if operator in _INFIX:
        return f"{target} {operator}= {value};"
    return f"{target} = {combined(target, operator, value, type_name)};"


def chosen(target: str, test: str, value: str, *, tested: str | None = None) -> str:
    """The statement by which a `max` or `min` of floats chooses as the source does (`Update.test`); a NaN makes every test false.

    `tested` is the value as an operand of a comparison.
    """
    first, second = (target, value) if test.startswith("!") else (value, target)
    return f"{target} = {target} {test.removeprefix('!')} {tested or value} ? {first} : {second};"


def combined_last(target: str, place: Expression, part: str, updates: Iterable[Update], type_name: str) -> str:
    """The statement that combines what threads made of updates of one `place` with what it held before, which is `target`.

    Parts hold no NaN: they begin with an infinity, and one among the values is dropped. That of the place stays where the source lets it.
    """
    own = [one for one in updates if one.target == place]
    tests = {one.test for one in own if one.test and not one.test.startswith("!")}
    if tests and is_float(type_name):
        return chosen(target, min(tests), part)
    return update(target, own[0].operator, part, type_name)


def identity(operator: str, type_name: str) -> str:
    """The value that changes nothing.

    Raises:
        CannotTransform: The type has none for this operator.
    """
    if operator in "+*":
        number = "0" if operator == "+" else "1"
        return number + {"float": ".0f", "double": ".0"}.get(type_name, "")
    if is_float(type_name):
        return "-INFINITY" if operator == "max" else "INFINITY"
    if type_name not in _LIMITS:
        what = WORDS[operator] if operator in BIT_OPERATORS else f"{operator}imum"
        raise CannotTransform(f"no {what} over '{type_name}'")
    if operator in BIT_OPERATORS:
        return "0" if operator != "&" else _LIMITS[type_name][1] if is_unsigned(type_name) else "-1"
    return _LIMITS[type_name][0 if operator == "max" else 1]


def atomic(target: str, operator: str, value: str, type_name: str) -> str:
    """The statement that combines `value` into `target` while other threads do so too."""
    if operator in ("max", "min") and is_float(type_name):
        return f"keep_{operator}_{type_name}(&{target}, {value});"
    function = _ATOMICS[operator]
    if operator in _INFIX and type_name == "long long":  # for CUDA 64 bits are unsigned here, which comes to the same
        return f"{function}((unsigned long long*)&{target}, (unsigned long long)({value}));"
    return f"{function}(&{target}, {value});"


def block_reduction(name: str, operator: str, type_name: str, threads: int, *, shuffle: bool) -> str:
    """A device function that gives every thread of a block of `threads` the combination of all their values."""
    word = WORDS[operator]
    if shuffle:
        return _by_shuffles(name, operator, type_name, threads, word)
    step = combined("values[threadIdx.x]", operator, "values[threadIdx.x + half]", type_name)
    return f"""// Every thread of the block gets the {word} of all their values, by a tree in shared memory.
__device__ inline {type_name} {name}({type_name} value) {{
    __shared__ {type_name} values[{threads}];
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int half = {threads // 2}; half > 0; half /= 2) {{
        if (threadIdx.x < half) {{
            values[threadIdx.x] = {step};
        }}
        __syncthreads();
    }}
    const {type_name} total = values[0];
    __syncthreads();
    return total;
}}"""


def block_scan(name: str, operator: str, type_name: str, threads: int) -> str:
    """A device function that gives every thread of a block the combination of the values of all threads before it."""

    def shuffled(value: str, distance: str) -> str:
        return f"__shfl_up_sync(0xffffffffu, {'(int)' if type_name in _NARROW else ''}{value}, {distance})"

    def joined(left: str, right: str) -> str:
        return combined(left, operator, right, type_name)

    return _scanned(
        name,
        type_name,
        threads,
        word=WORDS[operator],
        neutral=identity(operator, type_name),
        joined=joined,
        shuffled=shuffled,
    )


def block_scan_of_maps(name: str, map_name: str, threads: int) -> str:
    """As `block_scan`, of maps one after the other."""
    return _scanned(
        name,
        map_name,
        threads,
        word="map",
        neutral=f"{map_name}_none()",
        joined=lambda left, right: f"{map_name}_then({left}, {right})",
        shuffled=lambda value, distance: f"{map_name}_up({value}, {distance})",
    )


def _scanned(
    name: str,
    type_name: str,
    threads: int,
    *,
    word: str,
    neutral: str,
    joined: Callable[[str, str], str],
    shuffled: Callable[[str, str], str],
) -> str:
    return f"""// Every thread of the block gets the {word} of the values of all threads before it, by shuffles; `total` is that of all.
__device__ inline {type_name} {name}({type_name} value, {type_name}& total) {{
    __shared__ {type_name} of_warp[{threads // 32}];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {{
        const {type_name} other = {shuffled("value", "distance")};
        if (lane >= distance) {{
            value = {joined("other", "value")};
        }}
    }}
    if (lane == 31) {{
        of_warp[warp] = value;
    }}
    {type_name} before = {shuffled("value", "1")};
    if (lane == 0) {{
        before = {neutral};
    }}
    __syncthreads();
    total = {neutral};
    for (int number = 0; number < {threads // 32}; ++number) {{
        if (number == warp) {{
            before = {joined("total", "before")};
        }}
        total = {joined("total", "of_warp[number]")};
    }}
    __syncthreads();
    return before;
}}"""


def takes_over(operator: str, old: tuple[str, str], new: tuple[str, str]) -> str:
    """The condition that a value with its place comes before another one; with `<` and `>` the first of equal ones does, else the last."""
    (value, place), (other, there) = old, new
    strict, earlier = operator[0], "<" if len(operator) == 1 else ">"
    equal = f"({other} == {value} && {there} {earlier} {place})"
    return f"{there} >= 0 && ({place} < 0 || {other} {strict} {value} || {equal})"


def block_extreme(name: str, operator: str, type_name: str, threads: int) -> str:
    """A device function that finds the best of the values of all threads of a block, with its place."""
    narrow = "(int)" if type_name in _NARROW else ""
    word = ("smallest" if operator[0] == "<" else "largest", "first" if len(operator) == 1 else "last")
    loop = f"""for (int distance = 16; distance > 0; distance /= 2) {{
        const {type_name} other = __shfl_xor_sync(0xffffffffu, {narrow}value, distance);
        const long long there = __shfl_xor_sync(0xffffffffu, place, distance);
        if ({takes_over(operator, ("value", "place"), ("other", "there"))}) {{
            value = other;
            place = there;
        }}
    }}"""
    return f"""// Every thread of the block gets the {word[0]} of all values and its place, of equal ones the {word[1]}; -1 is no place.
__device__ inline void {name}({type_name}& value, long long& place) {{
    __shared__ {type_name} values[{threads // 32}];
    __shared__ long long places[{threads // 32}];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    {loop}
    if (lane == 0) {{
        values[warp] = value;
        places[warp] = place;
    }}
    __syncthreads();
    value = values[lane % {threads // 32}];
    place = places[lane % {threads // 32}];
    {loop}
    __syncthreads();
}}"""


_NARROW = ("char", "signed char", "unsigned char", "short", "unsigned short", "bool")
"""Types that shuffles take only as `int`."""


def _by_shuffles(name: str, operator: str, type_name: str, threads: int, word: str) -> str:
    value = "(int)value" if type_name in _NARROW else "value"
    loop = f"""for (int distance = 16; distance > 0; distance /= 2) {{
        const {type_name} other = __shfl_xor_sync(0xffffffffu, {value}, distance);
        value = {combined("value", operator, "other", type_name)};
    }}"""
    if threads == 32:
        return f"""// Every thread of the warp gets the {word} of all their values, by shuffles.
__device__ inline {type_name} {name}({type_name} value) {{
    {loop}
    return value;
}}"""
    return f"""// Every thread of the block gets the {word} of all their values, by shuffles in and then across its warps.
__device__ inline {type_name} {name}({type_name} value) {{
    __shared__ {type_name} of_warp[{threads // 32}];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    {loop}
    if (lane == 0) {{
        of_warp[warp] = value;
    }}
    __syncthreads();
    value = lane < {threads // 32} ? of_warp[lane] : {identity(operator, type_name)};
    {loop}
    __syncthreads();
    return value;
}}"""
