#pragma once

#include "vec3.hpp"

namespace rm {

constexpr float FAR_AWAY = 60.0f;
constexpr float NEAR_ENOUGH = 1e-3f;

/// Distance to a ball at `centre`.
inline float ball(const vec3& p, const vec3& centre, float radius) { return length(p - centre) - radius; }

/// A torus that lies flat.
inline float torus(const vec3& p, float wide, float thick) {
    const float around = std::sqrt(p.x * p.x + p.z * p.z) - wide;
    return std::sqrt(around * around + p.y * p.y) - thick;
}

/// Two shapes melted together.
inline float melted(float a, float b, float k) {
    const float h = std::fmax(k - std::fabs(a - b), 0.0f) / k;
    return std::fmin(a, b) - h * h * k * 0.25f;
}

/// Distance to all there is.
inline float scene(const vec3& p, float time) {
    const float ground = p.y + 1.2f + 0.1f * std::sin(2.0f * p.x) * std::sin(2.0f * p.z);
    const vec3 moving = {1.2f * std::cos(time), 0.4f, 1.2f * std::sin(time)};
    const float shapes = melted(ball(p, moving, 0.5f), torus(p, 1.1f, 0.35f), 0.4f);
    return std::fmin(ground, shapes);
}

}  // namespace rm
