// Floating-point functions of CUDA that C++ lacks, with their weights. The fast ones (__expf ...) are in fast_functions.h.
#pragma once

namespace emulated {
EMULATED_INLINE float reciprocal_root(float x) { return (float)(1.0 / sqrt((double)x)); }
}  // namespace emulated

#define EMULATED_FLOAT1(NAME, INSTRUCTIONS, FLOPS, EXPRESSION) \
    EMULATED_INLINE float NAME(float x) { return emulated::weighs<INSTRUCTIONS, FLOPS>(EXPRESSION); }
#define EMULATED_DOUBLE1(NAME, INSTRUCTIONS, FLOPS, EXPRESSION) \
    EMULATED_INLINE double NAME(double x) { return emulated::weighs<INSTRUCTIONS, FLOPS>(EXPRESSION); }
EMULATED_FLOAT1(rsqrtf, 4, 10, emulated::reciprocal_root(x))
EMULATED_FLOAT1(__frsqrt_rn, 12, 10, emulated::reciprocal_root(x))
EMULATED_FLOAT1(__saturatef, 1, 1, x < 0 ? 0.0f : x > 1 ? 1.0f : x == x ? x : 0.0f)
EMULATED_DOUBLE1(rsqrt, 20, 10, 1.0 / sqrt(x))
EMULATED_INLINE float fdividef(float a, float b) { return emulated::weighs<10, 1>(a / b); }
EMULATED_INLINE float fdivide(float a, float b) { return emulated::weighs<10, 1>(a / b); }
EMULATED_INLINE double fdivide(double a, double b) { return emulated::weighs<16, 1>(a / b); }

#undef EMULATED_FLOAT1
#undef EMULATED_DOUBLE1

EMULATED_INLINE int __float_as_int(float x) { return emulated::bits_to<int>(x); }
EMULATED_INLINE unsigned __float_as_uint(float x) { return emulated::bits_to<unsigned>(x); }
EMULATED_INLINE float __int_as_float(int x) { return emulated::bits_to<float>(x); }
EMULATED_INLINE float __uint_as_float(unsigned x) { return emulated::bits_to<float>(x); }
EMULATED_INLINE long long __double_as_longlong(double x) { return emulated::bits_to<long long>(x); }
EMULATED_INLINE double __longlong_as_double(long long x) { return emulated::bits_to<double>(x); }
EMULATED_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
EMULATED_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }
EMULATED_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

// For just these types: two that are as near to several of them are refused, as by nvcc, min(1LL, 2) among them.
#define EMULATED_MIN_MAX(WEIGHT, RESULT, A, B)                                                                          \
    EMULATED_INLINE constexpr RESULT min(A a, B b) { return emulated::weighs<WEIGHT>((RESULT)a < (RESULT)b ? (RESULT)a : (RESULT)b); } \
    EMULATED_INLINE constexpr RESULT max(A a, B b) { return emulated::weighs<WEIGHT>((RESULT)a > (RESULT)b ? (RESULT)a : (RESULT)b); }
#define EMULATED_MIN_MAX_OF_WIDTH(SIGNED, UNSIGNED)   \
    EMULATED_MIN_MAX(1, SIGNED, SIGNED, SIGNED)       \
    EMULATED_MIN_MAX(1, UNSIGNED, UNSIGNED, UNSIGNED) \
    EMULATED_MIN_MAX(1, UNSIGNED, SIGNED, UNSIGNED)   \
    EMULATED_MIN_MAX(1, UNSIGNED, UNSIGNED, SIGNED)
EMULATED_MIN_MAX_OF_WIDTH(int, unsigned)
EMULATED_MIN_MAX_OF_WIDTH(long, unsigned long)
EMULATED_MIN_MAX_OF_WIDTH(long long, unsigned long long)
#undef EMULATED_MIN_MAX_OF_WIDTH
#undef EMULATED_MIN_MAX
#define EMULATED_MIN_MAX(RESULT, A, B)                                                                                                \
    EMULATED_INLINE constexpr RESULT min(A a, B b) { return emulated::weighs<1, 1>((RESULT)__builtin_fmin((RESULT)a, (RESULT)b)); } \
    EMULATED_INLINE constexpr RESULT max(A a, B b) { return emulated::weighs<1, 1>((RESULT)__builtin_fmax((RESULT)a, (RESULT)b)); }
EMULATED_MIN_MAX(float, float, float)
EMULATED_MIN_MAX(double, double, double)
EMULATED_MIN_MAX(double, float, double)
EMULATED_MIN_MAX(double, double, float)
#undef EMULATED_MIN_MAX
EMULATED_INLINE unsigned umin(unsigned a, unsigned b) { return emulated::weighs<1>(a < b ? a : b); }
EMULATED_INLINE unsigned umax(unsigned a, unsigned b) { return emulated::weighs<1>(a > b ? a : b); }
EMULATED_INLINE long long llmin(long long a, long long b) { return emulated::weighs<4>(a < b ? a : b); }
EMULATED_INLINE long long llmax(long long a, long long b) { return emulated::weighs<4>(a > b ? a : b); }
EMULATED_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return emulated::weighs<4>(a < b ? a : b); }
EMULATED_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return emulated::weighs<4>(a > b ? a : b); }
