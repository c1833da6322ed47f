// bfloat16: the upper half of a float, rounded to nearest even. Visible to candidates that include cuda_bf16.h.
#pragma once
#include "half_operations.h"

namespace emulated_bf16 {
struct __nv_bfloat16_raw {
    unsigned short x;
};
struct alignas(2) __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    EMULATED_INLINE static __nv_bfloat16 rounded(float x) {
        const unsigned u = __float_as_uint(x);
        __nv_bfloat16 h;
        h.bits = x != x ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
        return h;
    }
    EMULATED_INLINE float wide() const { return __uint_as_float((unsigned)bits << 16); }
    EMULATED_INLINE __nv_bfloat16(float x) : __nv_bfloat16(rounded(emulated::weighs<1>(x))) {}
    EMULATED_INLINE __nv_bfloat16(double x) : __nv_bfloat16(emulated::cut_to_float(x)) {}
    EMULATED_INLINE __nv_bfloat16(__nv_bfloat16_raw x) : bits(x.x) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    EMULATED_INLINE __nv_bfloat16(T x) : __nv_bfloat16((double)x) {}
    EMULATED_INLINE operator float() const { return emulated::weighs<1>(wide()); }
    EMULATED_INLINE operator __nv_bfloat16_raw() const { return {bits}; }
};
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    EMULATED_INLINE __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;
EMULATED_HALF_OPERATIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
EMULATED_INLINE float2 __bfloat1622float2(__nv_bfloat162 h) { return {(float)h.x, (float)h.y}; }
}  // namespace emulated_bf16
