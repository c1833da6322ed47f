#include "render.hpp"

namespace rm {

// Light from one side, by the slope of the distance at the point that was hit.
void shade(const Camera& camera, float time, const std::vector<float>& distance, std::vector<float>& light) {
    const vec3 sun = normalised({0.6f, 0.8f, -0.5f});
    const float e = 1e-2f;
    for (int j = 0; j < camera.height; ++j) {
        for (int i = 0; i < camera.width; ++i) {
            const float t = distance[j * camera.width + i];
            float value = 0.1f;
            if (t < FAR_AWAY) {
                const vec3 p = camera.from + t * direction(camera, i, j);
                const vec3 n = {scene({p.x + e, p.y, p.z}, time) - scene({p.x - e, p.y, p.z}, time),
                                scene({p.x, p.y + e, p.z}, time) - scene({p.x, p.y - e, p.z}, time),
                                scene({p.x, p.y, p.z + e}, time) - scene({p.x, p.y, p.z - e}, time)};
                const float slope = dot(n, sun) / (length(n) + 1e-9f);
                value = 0.15f + 0.85f * std::fmax(slope, 0.0f);
            }
            light[j * camera.width + i] = value;
        }
    }
}

// Pixels behind nearer neighbours become darker.
void occlude(const Camera& camera, const std::vector<float>& distance, std::vector<float>& light, int reach) {
    for (int j = reach; j < camera.height - reach; ++j) {
        for (int i = reach; i < camera.width - reach; ++i) {
            const float own = distance[j * camera.width + i];
            float hidden = 0.0f;
            for (int b = -reach; b <= reach; ++b)
                for (int a = -reach; a <= reach; ++a) {
                    const float other = distance[(j + b) * camera.width + i + a];
                    if (other < own - 0.05f) hidden += 1.0f;
                }
            light[j * camera.width + i] *= 1.0f - 0.5f * hidden / ((2 * reach + 1) * (2 * reach + 1));
        }
    }
}

void tone(std::vector<float>& light, float exposure) {
    for (auto& value : light) {
        const float bright = exposure * value;
        value = bright / (1.0f + bright);
    }
}

double brightness(const std::vector<float>& light) {
    double sum = 0.0;
    for (const auto& value : light) sum += value;
    return sum / light.size();
}

}  // namespace rm
