#pragma once

#include <vector>

#include "scene.hpp"

namespace rm {

struct Camera {
    vec3 from;
    float zoom;
    int width, height;
};

/// The distance along each pixel's ray, and how many steps it took.
struct Hits {
    std::vector<float> distance;
    std::vector<int> steps;
};

void march(const Camera& camera, float time, int most, std::vector<float>& distance, std::vector<int>& steps);
void shade(const Camera& camera, float time, const std::vector<float>& distance, std::vector<float>& light);
void occlude(const Camera& camera, const std::vector<float>& distance, std::vector<float>& light, int reach);
void tone(std::vector<float>& light, float exposure);
double brightness(const std::vector<float>& light);

/// The direction of a pixel's ray.
inline vec3 direction(const Camera& camera, int i, int j) {
    const float u = (i + 0.5f - 0.5f * camera.width) / camera.height;
    const float v = (0.5f * camera.height - j - 0.5f) / camera.height;
    return normalised({u, v, camera.zoom});
}

}  // namespace rm
