"""Updates, identities and atomics of the four operators that the engine combines values with."""

from regrapht.errors import CannotTransform
from regrapht.propose.transform.frontend.scalar_types import is_float

WORDS = {"+": "sum", "*": "product", "max": "max", "min": "min"}
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


def combined(left: str, operator: str, right: str, type_name: str) -> str:
    """`left operator right` as C."""
    if operator in "+*":
        return f"{left} {operator} {right}"
    if type_name == "float":
        return f"f{operator}f({left}, {right})"
    if type_name == "double":
        return f"f{operator}({left}, {right})"
    return f"{operator}({left}, ({type_name})({right}))"


def update(target: str, operator: str, value: str, type_name: str) -> str:
    """The statement that combines `value` into `target`."""
    if operator in "+*":
        return f"{target} {operator}= {value};"
    return f"{target} = {combined(target, operator, value, type_name)};"


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
        raise CannotTransform(f"no {operator}imum over '{type_name}'")
    return _LIMITS[type_name][0 if operator == "max" else 1]


def atomic(target: str, operator: str, value: str, type_name: str) -> str:
    """The statement that combines `value` into `target` while other threads do so too."""
    function = {"+": "atomicAdd", "max": "atomicMax", "min": "atomicMin"}[operator]
    if (operator, type_name) == ("+", "long long"):  # CUDA adds 64 bits only as unsigned ones, which comes to the same
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
    for (int half = {threads // 2}; half > 0; half /= 2) {{
        if (threadIdx.x < half) {{
            values[threadIdx.x] = {step};
        }}
        __syncthreads();
    }}
    const {type_name} total = values[0];
    __syncthreads();
    return total;
}}"""


def _by_shuffles(name: str, operator: str, type_name: str, threads: int, word: str) -> str:
    narrow = type_name in ("char", "signed char", "unsigned char", "short", "unsigned short", "bool")
    value = "(int)value" if narrow else "value"
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
