#include <cmath>
#include <cstddef>
#include <cstdint>

struct Particle {
    int16_t x, y, z;
};

static int nearest_image(int difference) { return ((difference + 512) & 1023) - 512; }

static float distance(const Particle& a, const Particle& b) {
    const int dx = nearest_image(a.x - b.x), dy = nearest_image(a.y - b.y), dz = nearest_image(a.z - b.z);
    return std::sqrt((float)(dx * dx + dy * dy + dz * dz));
}

void radial_distribution(int frames, int n, const Particle* particle, uint32_t* pairs) {
    const int reach = 512;
    for (int f = 0; f < frames; ++f) {
        const Particle* frame = particle + (size_t)f * n;
        uint32_t* counted = pairs + (size_t)f * reach;
        for (int k = 0; k < reach; ++k) counted[k] = 0;
        for (int i = 0; i < n; ++i) {
            for (int j = i + 1; j < n; ++j) {
                const int k = (int)distance(frame[i], frame[j]);
                if (k < reach) ++counted[k];
            }
        }
    }
}
