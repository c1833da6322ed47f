#include "render.hpp"

namespace rm {

void march(const Camera& camera, float time, int most, std::vector<float>& distance, std::vector<int>& steps) {
    for (int j = 0; j < camera.height; ++j) {
        for (int i = 0; i < camera.width; ++i) {
            const vec3 d = direction(camera, i, j);
            float t = 0.0f;
            int n = 0;
            for (; n < most; ++n) {
                const vec3 p = camera.from + t * d;
                const float step = scene(p, time);
                if (step < NEAR_ENOUGH || t > FAR_AWAY) break;
                t += 0.8f * step;
            }
            distance[j * camera.width + i] = t > FAR_AWAY ? FAR_AWAY : t;
            steps[j * camera.width + i] = n;
        }
    }
}

}  // namespace rm
