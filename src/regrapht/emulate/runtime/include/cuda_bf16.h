// bfloat16: the upper half of a float, rounded to nearest even; computed in float and rounded after every operation.
#pragma once
#include "cuda_fp16.h"

struct alignas(2) __nv_bfloat16 {
    unsigned short bits;
    __nv_bfloat16() = default;
    EMULATED_INLINE __nv_bfloat16(float x) {
        const unsigned u = __float_as_uint(x);
        bits = x != x ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    EMULATED_INLINE __nv_bfloat16(double x) : __nv_bfloat16((float)x) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    EMULATED_INLINE __nv_bfloat16(T x) : __nv_bfloat16((float)x) {}
    EMULATED_INLINE operator float() const { return __uint_as_float((unsigned)bits << 16); }
};
typedef __nv_bfloat16 nv_bfloat16;
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    EMULATED_INLINE __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

EMULATED_HALF_OPERATIONS(__nv_bfloat16, __nv_bfloat162)

EMULATED_INLINE float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
EMULATED_INLINE __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
EMULATED_INLINE __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
EMULATED_INLINE __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
EMULATED_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.bits; }
EMULATED_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return emulated::bits_to<__nv_bfloat16>(x); }
EMULATED_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
EMULATED_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return {h, h}; }
EMULATED_INLINE __nv_bfloat162 __float2bfloat162_rn(float f) { return {__nv_bfloat16(f), __nv_bfloat16(f)}; }
EMULATED_INLINE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
EMULATED_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 f) { return {__nv_bfloat16(f.x), __nv_bfloat16(f.y)}; }
EMULATED_INLINE float2 __bfloat1622float2(__nv_bfloat162 h) { return {(float)h.x, (float)h.y}; }
EMULATED_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
EMULATED_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
