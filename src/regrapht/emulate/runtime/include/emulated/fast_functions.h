// The fast functions of single precision (__sinf, __expf ...), by the algorithms and with the error bounds that NVIDIA documents for them:
// one multiplication in float, and a function of the device's special unit, whose last bits are not to be relied on. They are not that
// unit's own bits: what they have in common with it is where and how much they are off.
#pragma once

namespace emulated {
EMULATED_INLINE float scaled(float x, float by) {
    float product = x * by;
    EMULATED_KEEP(product);
    return product;
}
// `x` in 23 bits, one less than a float has.
EMULATED_INLINE float to_23_bits(double x) {
    double high = x * (double)((1 << 30) + 1);
    EMULATED_KEEP(high);  // nothing may fuse it
    double rest = high - x;
    EMULATED_KEEP(rest);
    return fabs(x) < 0x1p128 ? (float)(high - rest) : (float)x;
}
// `x` as a whole number of 1 / `parts`: the unit's sine, cosine and logarithm near 1 have an absolute error.
EMULATED_INLINE float to_fixed_point(double x, double parts) { return (float)(nearbyint(x * parts) / parts); }

// ex2.approx, lg2.approx, rcp.approx.
EMULATED_INLINE float unit_exp2(float x) { return to_23_bits(::exp2((double)x)); }
EMULATED_INLINE float unit_log2(float x) {
    const double y = ::log2((double)x);
    return fabs(y) < 1 ? to_fixed_point(y, 0x1p23) : to_23_bits(y);
}
// The reciprocal is subnormal beyond 2^126 and becomes zero.
EMULATED_INLINE float unit_reciprocal(float x) { return fabsf(x) > 0x1p126f ? copysignf(0.0f, x) : to_23_bits(1.0 / (double)x); }

// The argument in turns, rounded to float: there is no other reduction, so that large arguments lose what a turn is cut into.
EMULATED_INLINE double fraction_of_turn(float x) {
    const double turns = (double)scaled(x, 0.15915494f);
    return turns - floor(turns);
}
EMULATED_INLINE float unit_sine(float x) { return to_fixed_point(::sin(2 * M_PI * fraction_of_turn(x)), 0x1p22); }
EMULATED_INLINE float unit_cosine(float x) { return to_fixed_point(::cos(2 * M_PI * fraction_of_turn(x)), 0x1p22); }
// tanh.approx: a relative error of 2^-11.
EMULATED_INLINE float unit_tanh(float x) {
    const unsigned bits = bits_to<unsigned>((float)::tanh((double)x));
    return (bits & 0x7f800000u) == 0x7f800000u ? x : bits_to<float>((bits + 0x0fffu) & ~0x1fffu);
}
EMULATED_INLINE float divided(float a, float b) { return scaled(a, unit_reciprocal(b)); }
}  // namespace emulated

#define EMULATED_FAST(NAME, INSTRUCTIONS, EXPRESSION) \
    EMULATED_INLINE float NAME(float x) { return emulated::weighs<INSTRUCTIONS, 10>(EXPRESSION); }
EMULATED_FAST(__expf, 5, emulated::unit_exp2((float)(x * 1.4426950408889634)))
EMULATED_FAST(__exp10f, 5, emulated::unit_exp2((float)(x * 3.3219280948873623)))
EMULATED_FAST(__log2f, 4, emulated::unit_log2(x))
EMULATED_FAST(__logf, 5, emulated::scaled(emulated::unit_log2(x), 0.693147181f))
EMULATED_FAST(__log10f, 5, emulated::scaled(emulated::unit_log2(x), 0.301029996f))
EMULATED_FAST(__sinf, 2, emulated::unit_sine(x))
EMULATED_FAST(__cosf, 2, emulated::unit_cosine(x))
EMULATED_FAST(__tanf, 8, emulated::divided(emulated::unit_sine(x), emulated::unit_cosine(x)))
EMULATED_FAST(__tanhf, 1, emulated::unit_tanh(x))
#undef EMULATED_FAST
EMULATED_INLINE float __powf(float a, float b) { return emulated::weighs<9, 10>(emulated::unit_exp2(emulated::scaled(b, emulated::unit_log2(a)))); }
EMULATED_INLINE float __fdividef(float a, float b) { return emulated::weighs<5, 1>(emulated::divided(a, b)); }
EMULATED_INLINE void __sincosf(float x, float* s, float* c) { *s = __sinf(x), *c = __cosf(x); }
