// Functions of CUDA's that C++ lacks and that take more than a few instructions: in evidence they count as what the host executes.
#pragma once

#define EMULATED_FLOAT1(NAME, EXPRESSION) \
    EMULATED_INLINE float NAME(float x) { return EXPRESSION; }
#define EMULATED_DOUBLE1(NAME, EXPRESSION) \
    EMULATED_INLINE double NAME(double x) { return EXPRESSION; }
// sin and cos of pi * x: the argument is reduced exactly first, so that whole and half numbers give exact results.
EMULATED_INLINE double sinpi(double x) {
    const double r = remainder(x, 2.0);
    if (r == -1 || r == 0 || r == 1) return copysign(0.0, x);
    return fabs(r) <= 0.25 ? sin(M_PI * r) : fabs(r) >= 0.75 ? copysign(sin(M_PI * (1 - fabs(r))), r) : copysign(cos(M_PI * (0.5 - fabs(r))), r);
}
EMULATED_INLINE double cospi(double x) {
    const double r = fabs(remainder(x, 2.0));
    return r == 0.5 ? 0.0 : r <= 0.25 ? cos(M_PI * r) : r >= 0.75 ? -cos(M_PI * (1 - r)) : sin(M_PI * (0.5 - r));
}
EMULATED_FLOAT1(sinpif, (float)sinpi((double)x))
EMULATED_FLOAT1(cospif, (float)cospi((double)x))
EMULATED_INLINE void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
EMULATED_INLINE void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }

EMULATED_DOUBLE1(rcbrt, 1.0 / cbrt(x))
EMULATED_DOUBLE1(normcdf, 0.5 * erfc(-x * M_SQRT1_2))
EMULATED_DOUBLE1(cyl_bessel_i0, std::cyl_bessel_i(0.0, fabs(x)))
EMULATED_DOUBLE1(cyl_bessel_i1, copysign(std::cyl_bessel_i(1.0, fabs(x)), x))
// exp(x * x) * erfc(x) without overflow; beyond 25 its continued fraction has converged to double precision.
EMULATED_INLINE double erfcx(double x) {
    if (x < 25) return exp(x * x) * erfc(x);
    double tail = x;
    for (int k = 40; k > 0; k--) tail = x + k * 0.5 / tail;
    return 1.0 / (tail * sqrt(M_PI));
}
// The y with erfc(y) = x: bisection finds the neighbourhood, Newton's method the last places.
EMULATED_INLINE double erfcinv(double x) {
    if (!(x >= 0 && x <= 2)) return __builtin_nan("");
    if (x == 0 || x == 2) return x == 0 ? __builtin_inf() : -__builtin_inf();
    double low = -6, high = 28;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        (erfc(middle) > x ? low : high) = middle;
    }
    const double y = 0.5 * (low + high);
    return y + (erfc(y) - x) * 0.5 * sqrt(M_PI) * exp(y * y);
}
EMULATED_INLINE double erfinv(double x) {
    if (!(fabs(x) <= 1)) return __builtin_nan("");
    double y = fabs(x) < 0.5 ? 0.886226925452758 * x : copysign(erfcinv(1 - fabs(x)), x);
    if (fabs(x) < 1)
        for (int i = 0; i < 4; i++) y -= (erf(y) - x) * 0.5 * sqrt(M_PI) * exp(y * y);
    return y;
}
EMULATED_DOUBLE1(normcdfinv, -M_SQRT2 * erfcinv(2 * x))
EMULATED_FLOAT1(rcbrtf, (float)rcbrt((double)x))
EMULATED_FLOAT1(normcdff, (float)normcdf((double)x))
EMULATED_FLOAT1(normcdfinvf, (float)normcdfinv((double)x))
EMULATED_FLOAT1(erfcxf, (float)erfcx((double)x))
EMULATED_FLOAT1(erfinvf, (float)erfinv((double)x))
EMULATED_FLOAT1(erfcinvf, (float)erfcinv((double)x))
EMULATED_FLOAT1(cyl_bessel_i0f, (float)cyl_bessel_i0((double)x))
EMULATED_FLOAT1(cyl_bessel_i1f, (float)cyl_bessel_i1((double)x))
#undef EMULATED_FLOAT1
#undef EMULATED_DOUBLE1

EMULATED_INLINE double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
EMULATED_INLINE double norm4d(double a, double b, double c, double d) { return sqrt(a * a + b * b + c * c + d * d); }
EMULATED_INLINE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
EMULATED_INLINE double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
EMULATED_INLINE double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
EMULATED_INLINE float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
EMULATED_INLINE float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
EMULATED_INLINE float rhypotf(float a, float b) { return (float)rhypot(a, b); }
EMULATED_INLINE float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
EMULATED_INLINE float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
EMULATED_INLINE double norm(int count, const double* values) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += values[i] * values[i];
    return sqrt(sum);
}
EMULATED_INLINE float normf(int count, const float* values) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (double)values[i] * values[i];
    return (float)sqrt(sum);
}
EMULATED_INLINE double rnorm(int count, const double* values) { return 1.0 / norm(count, values); }
EMULATED_INLINE float rnormf(int count, const float* values) { return 1.0f / normf(count, values); }

// The position of the n-th set bit of `mask` counted from `base`, upwards for n > 0, downwards for n < 0; all ones when there is none.
EMULATED_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
    if (n == 0) return mask >> (base & 31) & 1 ? base : ~0u;
    for (int at = (int)base, left = n < 0 ? -n : n; at >= 0 && at < 32; at += n < 0 ? -1 : 1)
        if (mask >> at & 1 && --left == 0) return (unsigned)at;
    return ~0u;
}
