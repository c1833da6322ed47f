"""Names of the standard library and of CUDA, and the header that a program needs for each.

What nvcc includes by itself needs none, wherever the name is used: all of <cmath>, <cstdlib>, <climits>, <limits>,
<utility>, <type_traits>, the plain names of <string.h> and <stddef.h>, and of <algorithm> `max`, `min`, `swap`, `fill`, `copy`, `equal`,
`lower_bound` (nvcc of CUDA 13.0 with libstdc++ 12). Its host compiler also sees <stdio.h> and <assert.h>, after the device's has missed
`printf`, in host code too.
"""

# fmt: off
_OF_STD = {
    "algorithm": "clamp sort stable_sort partial_sort nth_element transform reverse upper_bound binary_search unique remove_if minmax "
                 "max_element min_element find find_if count count_if all_of any_of none_of rotate copy_n copy_if remove replace "
                 "for_each generate shuffle sample push_heap pop_heap make_heap sort_heap partition stable_partition "
                 "merge is_sorted next_permutation includes set_union set_intersection",
    "array": "array", "vector": "vector", "string": "string to_string", "map": "map", "set": "set", "unordered_map": "unordered_map",
    "unordered_set": "unordered_set", "queue": "queue priority_queue", "deque": "deque", "tuple": "tuple make_tuple tie",
    "functional": "function less greater plus multiplies minus divides negate bit_and bit_or bit_xor logical_and logical_or equal_to "
                  "less_equal greater_equal hash ref cref",
    "numeric": "accumulate iota inner_product partial_sum reduce", "complex": "complex",
    "memory": "unique_ptr shared_ptr make_unique", "bitset": "bitset", "optional": "optional", "iostream": "cout cerr endl",
    "cstdio": "printf fprintf snprintf puts", "stdexcept": "runtime_error invalid_argument out_of_range logic_error",
    "chrono": "chrono", "random": "mt19937 uniform_int_distribution uniform_real_distribution normal_distribution",
    "cctype": "isalpha isdigit isspace isupper islower isalnum toupper tolower",
    "cstring": "memcpy memset memcmp memmove strlen strcmp",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
}
_PLAIN = {
    "cstdint": "uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t "
               "uint_least8_t uint_least16_t uint_least32_t uint_least64_t uintmax_t intmax_t "
               "INT8_MAX INT16_MAX INT32_MAX INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX INT8_MIN INT16_MIN INT32_MIN INT64_MIN "
               "SIZE_MAX PTRDIFF_MAX UINTPTR_MAX INT32_C INT64_C UINT32_C UINT64_C",
    "cstdio": "printf fprintf sprintf snprintf puts putchar fputs fflush stderr stdout EOF", "cassert": "assert",
    "cfloat": "FLT_MAX FLT_MIN FLT_EPSILON FLT_DIG FLT_MANT_DIG FLT_RADIX DBL_MAX DBL_MIN DBL_EPSILON DBL_DIG DBL_MANT_DIG",
    "cfenv": "fegetround fesetround FE_TONEAREST FE_DOWNWARD FE_UPWARD FE_TOWARDZERO",
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
