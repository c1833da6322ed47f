"""Headers of the standard library and of CUDA that a program uses without including them.

What nvcc includes by itself needs none, wherever the name is used: all of <cmath>, <cstdlib>, <climits>, <limits>,
<utility>, <type_traits>, and of <algorithm> `max`, `min`, `swap`, `fill`, `copy`, `equal`, `lower_bound` (nvcc of CUDA 13.0
with libstdc++ 12). Its host compiler also sees <stdio.h> and <assert.h>, after the device's has missed `printf` in a kernel.
"""

import re

from regrapht.propose.form.program import Edit, Program
from regrapht.source.tokens import TokenKind, tokens

# fmt: off
_OF_STD = {
    "algorithm": "clamp sort stable_sort partial_sort nth_element transform reverse upper_bound binary_search unique remove_if minmax "
                 "max_element min_element find find_if count count_if all_of any_of none_of rotate copy_n copy_if remove replace "
                 "for_each generate merge is_sorted next_permutation includes set_union set_intersection",
    "array": "array", "vector": "vector", "string": "string to_string", "map": "map", "set": "set", "unordered_map": "unordered_map",
    "unordered_set": "unordered_set", "queue": "queue priority_queue", "deque": "deque", "tuple": "tuple make_tuple tie",
    "functional": "function less greater plus multiplies",
    "numeric": "accumulate iota inner_product partial_sum reduce", "complex": "complex",
    "memory": "unique_ptr shared_ptr make_unique", "bitset": "bitset", "optional": "optional", "iostream": "cout cerr endl",
    "cstdio": "printf fprintf snprintf puts", "stdexcept": "runtime_error invalid_argument out_of_range logic_error",
    "chrono": "chrono", "random": "mt19937 uniform_int_distribution uniform_real_distribution normal_distribution",
    "cctype": "isalpha isdigit isspace isupper islower isalnum toupper tolower",
    "cstring": "memcpy memset memcmp memmove strlen strcmp",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
}
_PLAIN = {
    "cstdint": "uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t INT32_MAX INT64_MAX UINT32_MAX UINT64_MAX INT64_MIN INT32_MIN "
               "SIZE_MAX",
    "cstdio": "printf fprintf snprintf puts stderr stdout", "cassert": "assert",
    "cfloat": "FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON",
    "math_constants.h": "CUDART_INF_F CUDART_NAN_F CUDART_PI_F CUDART_INF",
    "cuda_fp16.h": "__half __half2 half2 __float2half __half2float __hadd __hmul __hfma",
    "cuda_bf16.h": "__nv_bfloat16 nv_bfloat16 __float2bfloat16 __bfloat162float",
    "cooperative_groups.h": "cooperative_groups", "mma.h": "nvcuda", "cub/cub.cuh": "cub",
    "curand_kernel.h": "curand_init curandState curandStatePhilox4_32_10_t",
}
# fmt: on
STD = {name: header for header, names in _OF_STD.items() for name in names.split()}
"""Name in `std` -> its header."""
PLAIN = {name: header for header, names in _PLAIN.items() for name in names.split()}
"""Name outside of it, macros included -> its header."""
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_GIVES = {"cooperative_groups.h": ("cooperative_groups/",), "cub/cub.cuh": ("cub/",)} | {
    f"c{name}": (f"{name}.h",) for name in ("string", "stdint", "float", "ctype", "stdio", "assert")
}
"""Header -> others, by their beginnings, that do for it."""


def with_missing_headers(program: Program) -> str | None:
    """The text with an `#include` for each name of the tables whose header is not included; None where none is missing."""
    included = _INCLUDE.findall(program.text)
    missing = sorted(
        header
        for header in _needed(program)
        if not any(one == header or one.startswith(_GIVES.get(header, ("\0",))) for one in included)
    )
    if not missing:
        return None
    return program.edited([Edit(0, 0, "".join(f"#include <{header}>\n" for header in missing))])


def _needed(program: Program) -> set[str]:
    """Headers of the names that the program uses and does not define itself."""
    own = {function.name for function in program.unit.functions} | set(program.unit.structs) | set(program.unit.aliases)
    needed: set[str] = set()
    before = ("", "")
    for token in tokens(program.text):
        if token.kind is TokenKind.NAME and before[1] not in (".", "->"):
            if before[1] == "::":
                if before[0] == "std" and token.text in STD:
                    needed.add(STD[token.text])
            elif token.text in PLAIN and token.text not in own:
                needed.add(PLAIN[token.text])
        if token.kind is not TokenKind.BLANK:
            before = (before[1], token.text)
    return needed
