// Compiles a reference in a wider type than it is written in: include this before it.
//
// -DREGRAPHT_WIDE=double|"long double"  what its floats become       -DREGRAPHT_NARROW=float|double  what they were
// -DREGRAPHT_CARRIED                    carry magnitudes as well (carried.h)
// -DREGRAPHT_HALF                       the reference uses __half or __nv_bfloat16
// The standard headers come first: their own float must stay what it is.
#pragma once
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <math.h>
#include <stdlib.h>

#ifdef REGRAPHT_CARRIED
#include "carried.h"
typedef regrapht::Carried regrapht_number;
#else
typedef REGRAPHT_WIDE regrapht_number;
#endif

inline regrapht_number regrapht_rsqrt(regrapht_number x) { return regrapht_number(1) / std::sqrt(x); }

#define sqrtf sqrt
#define cbrtf cbrt
#define fabsf fabs
#define expf exp
#define exp2f exp2
#define expm1f expm1
#define logf log
#define log2f log2
#define log10f log10
#define log1pf log1p
#define sinf sin
#define cosf cos
#define tanf tan
#define asinf asin
#define acosf acos
#define atanf atan
#define atan2f atan2
#define sinhf sinh
#define coshf cosh
#define tanhf tanh
#define erff erf
#define erfcf erfc
#define powf pow
#define hypotf hypot
#define fmodf fmod
#define fmaf fma
#define fminf fmin
#define fmaxf fmax
#define floorf floor
#define ceilf ceil
#define roundf round
#define truncf trunc
#define rintf rint
#define nearbyintf rint
#define copysignf copysign
#define rsqrtf regrapht_rsqrt

#ifdef REGRAPHT_HALF
#define __half regrapht_number
#define half regrapht_number
#define __nv_bfloat16 regrapht_number
#define nv_bfloat16 regrapht_number
#define __half2float(x) (x)
#define __float2half(x) regrapht_number(x)
#define __float2half_rn(x) regrapht_number(x)
#define __bfloat162float(x) (x)
#define __float2bfloat16(x) regrapht_number(x)
#define __float2bfloat16_rn(x) regrapht_number(x)
#endif

#define float regrapht_number
#if defined(REGRAPHT_CARRIED) || defined(REGRAPHT_WIDEN_DOUBLE)
#define double regrapht_number
#endif
