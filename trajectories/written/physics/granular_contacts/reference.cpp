// Normal contact forces between grains, spring and damper, from a table of candidate neighbours.
#include <cmath>
#include <cstddef>

struct Vec3 {
    float x, y, z;
};

static Vec3 minus(const float* a, const float* b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
static float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

void granular_contacts(int grains, int count, float stiffness, float damping, const float* position,
                       const float* velocity, const float* radius, const int* neighbour, float* force) {
    for (int i = 0; i < grains; ++i) {
        Vec3 total{0.0f, 0.0f, 0.0f};
        for (int k = 0; k < count; ++k) {
            int j = neighbour[(size_t)i * count + k];
            if (j < 0) continue;
            Vec3 d = minus(position + 3 * (size_t)j, position + 3 * (size_t)i);
            float distance = std::sqrt(dot(d, d) + 1e-6f);
            float overlap = radius[i] + radius[j] - distance;
            if (overlap <= 0.0f) continue;
            float approach = dot(minus(velocity + 3 * (size_t)j, velocity + 3 * (size_t)i), d) / distance;
            float push = (stiffness * overlap - damping * overlap * approach) / distance;
            total.x -= push * d.x;
            total.y -= push * d.y;
            total.z -= push * d.z;
        }
        force[3 * (size_t)i] = total.x;
        force[3 * (size_t)i + 1] = total.y;
        force[3 * (size_t)i + 2] = total.z;
    }
}
