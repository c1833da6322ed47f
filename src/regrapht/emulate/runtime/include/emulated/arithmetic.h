// Floating-point and conversion intrinsics. The fast ones (__expf ...) are the accurate functions: results differ from a GPU in the last
// places, which every tolerance for them must allow anyway.
#pragma once

#define EMULATED_FLOAT1(NAME, EXPRESSION) \
    EMULATED_INLINE float NAME(float x) { return EXPRESSION; }
EMULATED_FLOAT1(__expf, expf(x))
EMULATED_FLOAT1(__exp10f, exp10f(x))
EMULATED_FLOAT1(__logf, logf(x))
EMULATED_FLOAT1(__log2f, log2f(x))
EMULATED_FLOAT1(__log10f, log10f(x))
EMULATED_FLOAT1(__sinf, sinf(x))
EMULATED_FLOAT1(__cosf, cosf(x))
EMULATED_FLOAT1(__tanf, tanf(x))
EMULATED_FLOAT1(__tanhf, tanhf(x))
EMULATED_FLOAT1(rsqrtf, 1.0f / sqrtf(x))
EMULATED_FLOAT1(__frsqrt_rn, 1.0f / sqrtf(x))
EMULATED_FLOAT1(__frcp_rn, 1.0f / x)
EMULATED_FLOAT1(__fsqrt_rn, sqrtf(x))
EMULATED_FLOAT1(__saturatef, x < 0 ? 0.0f : x > 1 ? 1.0f : x == x ? x : 0.0f)
EMULATED_FLOAT1(sinpif, sinf(x * 3.14159265358979f))
EMULATED_FLOAT1(cospif, cosf(x * 3.14159265358979f))
EMULATED_FLOAT1(rcbrtf, 1.0f / cbrtf(x))
EMULATED_FLOAT1(normcdff, 0.5f * erfcf(-x * 0.70710678f))
#undef EMULATED_FLOAT1
EMULATED_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
EMULATED_INLINE double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }
EMULATED_INLINE void __sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
EMULATED_INLINE float __powf(float a, float b) { return powf(a, b); }
EMULATED_INLINE float __fdividef(float a, float b) { return a / b; }
EMULATED_INLINE float fdividef(float a, float b) { return a / b; }
EMULATED_INLINE float __fadd_rn(float a, float b) { return a + b; }
EMULATED_INLINE float __fsub_rn(float a, float b) { return a - b; }
EMULATED_INLINE float __fmul_rn(float a, float b) { return a * b; }
EMULATED_INLINE float __fdiv_rn(float a, float b) { return a / b; }
EMULATED_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMULATED_INLINE double __dadd_rn(double a, double b) { return a + b; }
EMULATED_INLINE double __dsub_rn(double a, double b) { return a - b; }
EMULATED_INLINE double __dmul_rn(double a, double b) { return a * b; }
EMULATED_INLINE double __ddiv_rn(double a, double b) { return a / b; }
EMULATED_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
EMULATED_INLINE double __drcp_rn(double x) { return 1.0 / x; }
EMULATED_INLINE double __dsqrt_rn(double x) { return sqrt(x); }

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
// Conversions saturate, and a NaN becomes 0, as on a GPU.
namespace emulated {
template <class To, class From>
EMULATED_INLINE To saturating(From x) {
    if (!(x == x)) return 0;
    if (x <= (From)std::numeric_limits<To>::min()) return std::numeric_limits<To>::min();
    if (x >= (From)std::numeric_limits<To>::max()) return std::numeric_limits<To>::max();
    return (To)x;
}
}  // namespace emulated
#define EMULATED_CONVERT(NAME, FROM, TO)                                                                  \
    EMULATED_INLINE TO __##NAME##_rn(FROM x) { return emulated::saturating<TO>(std::nearbyint(x)); }      \
    EMULATED_INLINE TO __##NAME##_rz(FROM x) { return emulated::saturating<TO>(std::trunc(x)); }          \
    EMULATED_INLINE TO __##NAME##_rd(FROM x) { return emulated::saturating<TO>(std::floor(x)); }          \
    EMULATED_INLINE TO __##NAME##_ru(FROM x) { return emulated::saturating<TO>(std::ceil(x)); }
EMULATED_CONVERT(float2int, float, int)
EMULATED_CONVERT(float2uint, float, unsigned)
EMULATED_CONVERT(float2ll, float, long long)
EMULATED_CONVERT(double2int, double, int)
EMULATED_CONVERT(double2uint, double, unsigned)
EMULATED_CONVERT(double2ll, double, long long)
#undef EMULATED_CONVERT
EMULATED_INLINE float __int2float_rn(int x) { return (float)x; }
EMULATED_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
EMULATED_INLINE float __ll2float_rn(long long x) { return (float)x; }
EMULATED_INLINE float __double2float_rn(double x) { return (float)x; }
EMULATED_INLINE double __int2double_rn(int x) { return (double)x; }
EMULATED_INLINE double __ll2double_rn(long long x) { return (double)x; }

template <class A, class B>
EMULATED_INLINE constexpr auto min(A a, B b)
    -> std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, std::common_type_t<A, B>> {
    using C = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<C>) return __builtin_fmin((C)a, (C)b);
    return (C)a < (C)b ? (C)a : (C)b;
}
template <class A, class B>
EMULATED_INLINE constexpr auto max(A a, B b)
    -> std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, std::common_type_t<A, B>> {
    using C = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<C>) return __builtin_fmax((C)a, (C)b);
    return (C)a > (C)b ? (C)a : (C)b;
}
