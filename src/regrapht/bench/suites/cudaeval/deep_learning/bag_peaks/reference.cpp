#include <cmath>
#include <cstddef>
#include <cstdint>

void bag_peaks(int bags, int items, int rows, int width, const int32_t* offset, const int32_t* item, const float* weight,
               const float* table, float* peak, int32_t* winner) {
    (void)items;
    (void)rows;
    for (int b = 0; b < bags; ++b) {
        for (int d = 0; d < width; ++d) {
            float best = -INFINITY;
            int32_t who = -1;
            for (int32_t k = offset[b]; k < offset[b + 1]; ++k) {
                const float value = weight[k] * table[(size_t)item[k] * width + d];
                if (value <= best) continue;
                best = value;
                who = item[k];
            }
            peak[(size_t)b * width + d] = who < 0 ? 0.0f : best;
            winner[(size_t)b * width + d] = who;
        }
    }
}
