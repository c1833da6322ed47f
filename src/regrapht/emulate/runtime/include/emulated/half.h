// Half precision. Visible to candidates that include cuda_fp16.h.
#pragma once
#include "half_operations.h"

namespace emulated_fp16 {
struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};
struct alignas(2) __half {
    _Float16 v;
    __half() = default;
    EMULATED_INLINE __half(float x) : v((_Float16)x) {}
    EMULATED_INLINE __half(double x) : v((_Float16)emulated::cut_to_float(x)) {}
    EMULATED_INLINE __half(__half_raw x) : v(emulated::bits_to<_Float16>(x.x)) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    EMULATED_INLINE __half(T x) : v((_Float16)emulated::cut_to_float((double)x)) {}
    EMULATED_INLINE operator float() const { return (float)v; }
    EMULATED_INLINE operator __half_raw() const { return {emulated::bits_to<unsigned short>(v)}; }
};
typedef __half half;
typedef __half nv_half;
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    EMULATED_INLINE __half2(__half a, __half b) : x(a), y(b) {}
    EMULATED_INLINE __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
};
typedef __half2 half2;
typedef __half2 nv_half2;
EMULATED_HALF_OPERATIONS(__half, __half2, half, half2)
EMULATED_INLINE float2 __half22float2(__half2 h) { return {(float)h.x, (float)h.y}; }
}  // namespace emulated_fp16
