#include <cstdint>

namespace {

class Random {
public:
    void start(int photon) {
        uint32_t v = (uint32_t)(photon + 1) * 2654435761u + 97u;
        v ^= v >> 15;
        v *= 2246822519u;
        state_ = v ^ v >> 13;
    }

    uint32_t next() { return state_ = state_ * 1664525u + 1013904223u; }

private:
    uint32_t state_ = 0;
};

}  // namespace

void photon_slab(int photons, int bins, const int* path, uint64_t* absorbed, uint64_t* outside) {
    const int thickness = 65536;
    for (int b = 0; b < bins; ++b) absorbed[b] = 0;
    outside[0] = outside[1] = 0;
    Random random;
    for (int p = 0; p < photons; ++p) {
        random.start(p);
        int depth = 0, direction = 256, weight = 4096;
        while (weight > 0) {
            uint32_t drawn = random.next();
            depth += direction * path[drawn >> 22] >> 8;
            if (depth < 0 || depth >= thickness) {
                outside[depth < 0 ? 0 : 1] += weight;
                break;
            }
            int taken = weight < 16 ? weight : weight / 8;
            absorbed[(int64_t)depth * bins / thickness] += taken;
            weight -= taken;
            direction = (int)((drawn >> 9) % 513) - 256;
        }
    }
}
