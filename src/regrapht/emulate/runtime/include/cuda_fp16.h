// Half precision: stored in 16 bits, computed in float and rounded after every operation, as scalar CUDA code does.
#pragma once
#include "emulated/everything.h"

struct alignas(2) __half {
    _Float16 v;
    __half() = default;
    EMULATED_INLINE __half(float x) : v((_Float16)x) {}
    EMULATED_INLINE __half(double x) : v((_Float16)(float)x) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    EMULATED_INLINE __half(T x) : v((_Float16)(float)x) {}
    EMULATED_INLINE operator float() const { return (float)v; }
};
typedef __half half;
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    EMULATED_INLINE __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;
struct __half_raw {
    unsigned short x;
};

EMULATED_INLINE float __half2float(__half h) { return (float)h; }
EMULATED_INLINE __half __float2half(float f) { return __half(f); }
EMULATED_INLINE __half __float2half_rn(float f) { return __half(f); }
EMULATED_INLINE __half __double2half(double f) { return __half(f); }
EMULATED_INLINE __half __int2half_rn(int x) { return __half((float)x); }
EMULATED_INLINE int __half2int_rn(__half h) { return __float2int_rn((float)h); }
EMULATED_INLINE int __half2int_rz(__half h) { return __float2int_rz((float)h); }
EMULATED_INLINE unsigned short __half_as_ushort(__half h) { return emulated::bits_to<unsigned short>(h.v); }
EMULATED_INLINE short __half_as_short(__half h) { return emulated::bits_to<short>(h.v); }
EMULATED_INLINE __half __ushort_as_half(unsigned short x) { return emulated::bits_to<__half>(x); }
EMULATED_INLINE __half __short_as_half(short x) { return emulated::bits_to<__half>(x); }

#include "emulated/half_operations.h"
EMULATED_HALF_OPERATIONS(__half, __half2)

EMULATED_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
EMULATED_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
EMULATED_INLINE __half2 __half2half2(__half h) { return {h, h}; }
EMULATED_INLINE __half2 __float2half2_rn(float f) { return {__half(f), __half(f)}; }
EMULATED_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
EMULATED_INLINE __half2 __float22half2_rn(float2 f) { return {__half(f.x), __half(f.y)}; }
EMULATED_INLINE float2 __half22float2(__half2 h) { return {(float)h.x, (float)h.y}; }
EMULATED_INLINE __half __low2half(__half2 h) { return h.x; }
EMULATED_INLINE __half __high2half(__half2 h) { return h.y; }
EMULATED_INLINE float __low2float(__half2 h) { return (float)h.x; }
EMULATED_INLINE float __high2float(__half2 h) { return (float)h.y; }
