// Half precision. Visible to candidates that include cuda_fp16.h.
#pragma once
#include "half_operations.h"

namespace emulated {
typedef float FourFloats __attribute__((vector_size(16)));
typedef short EightHalves __attribute__((vector_size(16)));
// Rounded to nearest even. By the instructions themselves: not every compiler has a type for half precision.
EMULATED_INLINE unsigned short half_bits(float x) { return (unsigned short)__builtin_ia32_vcvtps2ph((FourFloats){x}, 0)[0]; }
EMULATED_INLINE float half_value(unsigned short bits) { return __builtin_ia32_vcvtph2ps((EightHalves){(short)bits})[0]; }
}  // namespace emulated

namespace emulated_fp16 {
struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};
struct alignas(2) __half {
    unsigned short bits;
    __half() = default;
    EMULATED_INLINE static __half rounded(float x) {
        __half h;
        h.bits = emulated::half_bits(x);
        return h;
    }
    EMULATED_INLINE float wide() const { return emulated::half_value(bits); }
    EMULATED_INLINE __half(float x) : __half(rounded(emulated::weighs<1>(x))) {}
    EMULATED_INLINE __half(double x) : __half(emulated::cut_to_float(x)) {}
    EMULATED_INLINE __half(__half_raw x) : bits(x.x) {}
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    EMULATED_INLINE __half(T x) : __half((double)x) {}
    EMULATED_INLINE operator float() const { return emulated::weighs<1>(wide()); }
    EMULATED_INLINE operator __half_raw() const { return {bits}; }
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
