#include <cstddef>
#include <cstdint>

void regrid_fields(int levels, int points, int targets, float missing, const uint8_t* wet, const int32_t* corner, const float* weight,
                   const float* field, float* onto) {
    for (int l = 0; l < levels; ++l) {
        const float* level = field + (size_t)l * points;
        for (int t = 0; t < targets; ++t) {
            float sum = 0.0f, total = 0.0f;
            for (int j = 4 * t; j < 4 * t + 4; ++j) {
                if (wet[corner[j]] == 0) continue;
                sum += weight[j] * level[corner[j]];
                total += weight[j];
            }
            onto[(size_t)l * targets + t] = total < 0.25f ? missing : sum / total;
        }
    }
}
