#include <cstddef>

void decayed_memory(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory, float* y)
{
    for (int t = 0; t < steps; ++t)
        for (int h = 0; h < heads; ++h) {
            const size_t at = ((size_t)t * heads + h) * width;
            float* s = memory + (size_t)h * width * width;
            for (int j = 0; j < width; ++j) y[at + j] = 0.0f;
            for (int i = 0; i < width; ++i)
                for (int j = 0; j < width; ++j) {
                    float& cell = s[i * width + j];
                    cell = decay[h] * cell + k[at + i] * v[at + j];
                    y[at + j] += q[at + i] * cell;
                }
        }
}
