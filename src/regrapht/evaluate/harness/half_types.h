// __half and __nv_bfloat16 for references that are compiled by an ordinary C++ compiler: storage of two bytes, arithmetic in float, every
// result rounded to nearest even, as CUDA's own scalar operators do.
#pragma once
#include <cstdint>
#include <cstring>

struct __half {
    uint16_t bits;
    __half() = default;
    __half(float value) : bits(narrow(value)) {}
    __half(double value) : __half(static_cast<float>(value)) {}
    __half(int value) : __half(static_cast<float>(value)) {}
    operator float() const { return widen(bits); }

    static float widen(uint16_t h) {
        const uint32_t sign = uint32_t(h & 0x8000u) << 16, exponent = (h >> 10) & 31u, fraction = h & 1023u;
        if (exponent == 0) {
            const float magnitude = float(fraction) * 0x1p-24f;
            return sign ? -magnitude : magnitude;
        }
        const uint32_t raw = exponent == 31 ? sign | 0x7F800000u | (fraction << 13) : sign | ((exponent + 112u) << 23) | (fraction << 13);
        float result;
        std::memcpy(&result, &raw, 4);
        return result;
    }
    static uint16_t narrow(float value) {
        uint32_t raw;
        std::memcpy(&raw, &value, 4);
        const uint16_t sign = uint16_t((raw >> 16) & 0x8000u);
        const uint32_t magnitude = raw & 0x7FFFFFFFu;
        if (magnitude > 0x7F800000u) return uint16_t(sign | 0x7E00u);
        if (magnitude >= 0x477FF000u) return uint16_t(sign | 0x7C00u);
        if (magnitude < 0x38800000u) {  // subnormal: adding 0.5 moves the rounding position to bit 0
            float shifted;
            std::memcpy(&shifted, &magnitude, 4);
            shifted += 0.5f;
            std::memcpy(&raw, &shifted, 4);
            return uint16_t(sign | (raw - 0x3F000000u));
        }
        const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
        return uint16_t(sign | ((rounded - 0x38000000u) >> 13));
    }
};

struct __nv_bfloat16 {
    uint16_t bits;
    __nv_bfloat16() = default;
    __nv_bfloat16(float value) : bits(narrow(value)) {}
    __nv_bfloat16(double value) : __nv_bfloat16(static_cast<float>(value)) {}
    __nv_bfloat16(int value) : __nv_bfloat16(static_cast<float>(value)) {}
    operator float() const {
        const uint32_t raw = uint32_t(bits) << 16;
        float result;
        std::memcpy(&result, &raw, 4);
        return result;
    }
    static uint16_t narrow(float value) {
        uint32_t raw;
        std::memcpy(&raw, &value, 4);
        if ((raw & 0x7FFFFFFFu) > 0x7F800000u) return uint16_t((raw >> 16) | 0x40u);
        return uint16_t((raw + 0x7FFFu + ((raw >> 16) & 1u)) >> 16);
    }
};

using half = __half;
using nv_bfloat16 = __nv_bfloat16;
inline float __half2float(__half value) { return value; }
inline __half __float2half(float value) { return __half(value); }
inline __half __float2half_rn(float value) { return __half(value); }
inline float __bfloat162float(__nv_bfloat16 value) { return value; }
inline __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
inline __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
