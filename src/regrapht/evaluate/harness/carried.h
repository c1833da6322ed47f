// A number that carries how much it may be off: its value, and the sum of the magnitudes that went into it.
//
// For a sum of products the second part is S = sum |a||b|; the error of any order of summation is bounded by a multiple of u S. Products and
// functions pass it on to first order. Comparisons look at the value alone, so the program takes the same branches.
//
// What comes out below the normal numbers is rounded to a multiple of the smallest one, whatever its own size: its magnitude counts as the
// smallest normal number. Sums are spared, since they are exact there.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace regrapht {

using Wide = REGRAPHT_WIDE;

template <class T> constexpr bool is_number = std::is_arithmetic_v<T>;

constexpr Wide smallest_normal = Wide(std::numeric_limits<REGRAPHT_NARROW>::min());
constexpr Wide unit_roundoff = Wide(std::numeric_limits<REGRAPHT_NARROW>::epsilon()) / 2;

struct Carried {
    Wide value;
    Wide scale;

    Carried() = default;
    template <class T, std::enable_if_t<is_number<T>, int> = 0>
    constexpr Carried(T v) : value(Wide(v)), scale(Wide(v) < 0 ? -Wide(v) : Wide(v)) {}
    constexpr Carried(Wide v, Wide s) : value(v), scale(s) {}
    // The result of an operation that rounds among the subnormals too.
    static Carried rounded(Wide v, Wide s) { return {v, v != 0 && std::fabs(v) < smallest_normal ? std::max(s, smallest_normal) : s}; }
    template <class T, std::enable_if_t<is_number<T>, int> = 0>
    explicit constexpr operator T() const { return T(value); }

    friend constexpr Carried operator+(Carried a, Carried b) { return {a.value + b.value, a.scale + b.scale}; }
    friend constexpr Carried operator-(Carried a, Carried b) { return {a.value - b.value, a.scale + b.scale}; }
    // The product of both factors' errors counts where the factors cancelled: the square of 0 that was a sum is the square of its rounding.
    friend Carried operator*(Carried a, Carried b) {
        const Wide p = std::fabs(a.value * b.value), by_one = std::fabs(a.value) * b.scale + a.scale * std::fabs(b.value) - p;
        return rounded(a.value * b.value, std::max({p, by_one, unit_roundoff * a.scale * b.scale}));
    }
    friend Carried operator/(Carried a, Carried b) {
        const Wide q = a.value / b.value, m = std::fabs(b.value);
        return rounded(q, std::max(std::fabs(q), a.scale / m + std::fabs(q) * b.scale / m - std::fabs(q)));
    }
    constexpr Carried operator-() const { return {-value, scale}; }
    constexpr Carried operator+() const { return *this; }
    Carried& operator+=(Carried b) { return *this = *this + b; }
    Carried& operator-=(Carried b) { return *this = *this - b; }
    Carried& operator*=(Carried b) { return *this = *this * b; }
    Carried& operator/=(Carried b) { return *this = *this / b; }
    Carried& operator++() { return *this += Carried(1); }
    Carried& operator--() { return *this -= Carried(1); }
    Carried operator++(int) { const Carried old = *this; ++*this; return old; }
    Carried operator--(int) { const Carried old = *this; --*this; return old; }
    constexpr bool operator!() const { return value == 0; }

    friend constexpr bool operator<(Carried a, Carried b) { return a.value < b.value; }
    friend constexpr bool operator>(Carried a, Carried b) { return a.value > b.value; }
    friend constexpr bool operator<=(Carried a, Carried b) { return a.value <= b.value; }
    friend constexpr bool operator>=(Carried a, Carried b) { return a.value >= b.value; }
    friend constexpr bool operator==(Carried a, Carried b) { return a.value == b.value; }
    friend constexpr bool operator!=(Carried a, Carried b) { return a.value != b.value; }
};

}  // namespace regrapht

// In namespace std, and from there in the global one, so that std::sqrt(x), sqrt(x) and ::sqrt(x) all name one function.
namespace std {

// f(a) with the derivative's magnitude d: |d| scale + |f|.
inline regrapht::Carried __regrapht_through(regrapht::Wide f, regrapht::Wide d, regrapht::Carried a) {
    return regrapht::Carried::rounded(f, std::fabs(d) * a.scale + std::fabs(f));
}

inline regrapht::Carried fabs(regrapht::Carried a) { return {std::fabs(a.value), a.scale}; }
inline regrapht::Carried abs(regrapht::Carried a) { return fabs(a); }
inline regrapht::Carried sqrt(regrapht::Carried a) { const regrapht::Wide r = std::sqrt(a.value); return __regrapht_through(r, r > 0 ? 1 / (2 * r) : 0, a); }
inline regrapht::Carried cbrt(regrapht::Carried a) { const regrapht::Wide r = std::cbrt(a.value); return __regrapht_through(r, r != 0 ? 1 / (3 * r * r) : 0, a); }
inline regrapht::Carried exp(regrapht::Carried a) { const regrapht::Wide r = std::exp(a.value); return __regrapht_through(r, r, a); }
inline regrapht::Carried exp2(regrapht::Carried a) { const regrapht::Wide r = std::exp2(a.value); return __regrapht_through(r, r, a); }
inline regrapht::Carried expm1(regrapht::Carried a) { return __regrapht_through(std::expm1(a.value), std::exp(a.value), a); }
inline regrapht::Carried log(regrapht::Carried a) { return __regrapht_through(std::log(a.value), 1 / a.value, a); }
inline regrapht::Carried log2(regrapht::Carried a) { return __regrapht_through(std::log2(a.value), regrapht::Wide(1.4426950408889634) / a.value, a); }
inline regrapht::Carried log10(regrapht::Carried a) { return __regrapht_through(std::log10(a.value), regrapht::Wide(0.4342944819032518) / a.value, a); }
inline regrapht::Carried log1p(regrapht::Carried a) { return __regrapht_through(std::log1p(a.value), 1 / (1 + a.value), a); }
inline regrapht::Carried sin(regrapht::Carried a) { return __regrapht_through(std::sin(a.value), std::cos(a.value), a); }
inline regrapht::Carried cos(regrapht::Carried a) { return __regrapht_through(std::cos(a.value), std::sin(a.value), a); }
inline regrapht::Carried tan(regrapht::Carried a) { const regrapht::Wide t = std::tan(a.value); return __regrapht_through(t, 1 + t * t, a); }
inline regrapht::Carried asin(regrapht::Carried a) { return __regrapht_through(std::asin(a.value), 1 / std::sqrt(1 - a.value * a.value), a); }
inline regrapht::Carried acos(regrapht::Carried a) { return __regrapht_through(std::acos(a.value), 1 / std::sqrt(1 - a.value * a.value), a); }
inline regrapht::Carried atan(regrapht::Carried a) { return __regrapht_through(std::atan(a.value), 1 / (1 + a.value * a.value), a); }
inline regrapht::Carried sinh(regrapht::Carried a) { return __regrapht_through(std::sinh(a.value), std::cosh(a.value), a); }
inline regrapht::Carried cosh(regrapht::Carried a) { return __regrapht_through(std::cosh(a.value), std::sinh(a.value), a); }
inline regrapht::Carried tanh(regrapht::Carried a) { const regrapht::Wide t = std::tanh(a.value); return __regrapht_through(t, 1 - t * t, a); }
inline regrapht::Carried erf(regrapht::Carried a) { return __regrapht_through(std::erf(a.value), regrapht::Wide(1.1283791670955126) * std::exp(-a.value * a.value), a); }
inline regrapht::Carried erfc(regrapht::Carried a) { return __regrapht_through(std::erfc(a.value), regrapht::Wide(1.1283791670955126) * std::exp(-a.value * a.value), a); }
inline regrapht::Carried floor(regrapht::Carried a) { return {std::floor(a.value), std::fabs(std::floor(a.value))}; }
inline regrapht::Carried ceil(regrapht::Carried a) { return {std::ceil(a.value), std::fabs(std::ceil(a.value))}; }
inline regrapht::Carried round(regrapht::Carried a) { return {std::round(a.value), std::fabs(std::round(a.value))}; }
inline regrapht::Carried trunc(regrapht::Carried a) { return {std::trunc(a.value), std::fabs(std::trunc(a.value))}; }
inline regrapht::Carried rint(regrapht::Carried a) { return {std::rint(a.value), std::fabs(std::rint(a.value))}; }
inline regrapht::Carried pow(regrapht::Carried a, regrapht::Carried b) {
    const regrapht::Wide r = std::pow(a.value, b.value);
    const regrapht::Wide to_base = a.value != 0 ? std::fabs(r * b.value / a.value) : 0;
    const regrapht::Wide to_exponent = a.value > 0 ? std::fabs(r * std::log(a.value)) : 0;
    const regrapht::Wide through_exponent = to_exponent * (b.scale == std::fabs(b.value) ? 0 : b.scale);
    return regrapht::Carried::rounded(r, to_base * a.scale + through_exponent + std::fabs(r));
}
inline regrapht::Carried atan2(regrapht::Carried a, regrapht::Carried b) {
    const regrapht::Wide r = std::atan2(a.value, b.value), m = a.value * a.value + b.value * b.value;
    const regrapht::Wide through = m > 0 ? (std::fabs(b.value) * a.scale + std::fabs(a.value) * b.scale) / m : 0;
    return regrapht::Carried::rounded(r, through + std::fabs(r));
}
inline regrapht::Carried hypot(regrapht::Carried a, regrapht::Carried b) { return sqrt(a * a + b * b); }
inline regrapht::Carried fmod(regrapht::Carried a, regrapht::Carried b) { return {std::fmod(a.value, b.value), a.scale + b.scale}; }
inline regrapht::Carried fma(regrapht::Carried a, regrapht::Carried b, regrapht::Carried c) { return a * b + c; }
// fmin and fmax pass over a NaN, as the library's do.
inline regrapht::Carried fmin(regrapht::Carried a, regrapht::Carried b) { return std::isnan(a.value) ? b : std::isnan(b.value) || a.value < b.value ? a : b; }
inline regrapht::Carried fmax(regrapht::Carried a, regrapht::Carried b) { return std::isnan(a.value) ? b : std::isnan(b.value) || a.value > b.value ? a : b; }
inline regrapht::Carried copysign(regrapht::Carried a, regrapht::Carried b) { return {std::copysign(a.value, b.value), a.scale}; }
inline bool isnan(regrapht::Carried a) { return std::isnan(a.value); }
inline bool isinf(regrapht::Carried a) { return std::isinf(a.value); }
inline bool isfinite(regrapht::Carried a) { return std::isfinite(a.value); }
inline bool signbit(regrapht::Carried a) { return std::signbit(a.value); }

template <> class numeric_limits<regrapht::Carried> : public numeric_limits<REGRAPHT_NARROW> {
public:
    static constexpr regrapht::Carried min() { return numeric_limits<REGRAPHT_NARROW>::min(); }
    static constexpr regrapht::Carried max() { return numeric_limits<REGRAPHT_NARROW>::max(); }
    static constexpr regrapht::Carried lowest() { return numeric_limits<REGRAPHT_NARROW>::lowest(); }
    static constexpr regrapht::Carried epsilon() { return numeric_limits<REGRAPHT_NARROW>::epsilon(); }
    static constexpr regrapht::Carried infinity() { return numeric_limits<REGRAPHT_NARROW>::infinity(); }
    static constexpr regrapht::Carried quiet_NaN() { return numeric_limits<REGRAPHT_NARROW>::quiet_NaN(); }
};

}  // namespace std

using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cbrt;
using std::ceil;
using std::copysign;
using std::cos;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::exp2;
using std::expm1;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::fmod;
using std::hypot;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::pow;
using std::rint;
using std::round;
using std::signbit;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::trunc;
