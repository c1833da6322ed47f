#include <cmath>
#include <cstdint>

// Two-dimensional cosine transform of each 8 x 8 block of a grey image, weighted as a codec quantises.
void block_dct(int block_rows, int block_cols, const uint8_t* image, const float* weight, float* coefficient) {
    const int width = 8 * block_cols;
    float basis[8][8];
    for (int k = 0; k < 8; ++k)
        for (int t = 0; t < 8; ++t)
            basis[k][t] = (k == 0 ? std::sqrt(0.125f) : 0.5f) * std::cos(0.19634954084936207f * k * (2 * t + 1));
    for (int by = 0; by < block_rows; ++by) {
        for (int bx = 0; bx < block_cols; ++bx) {
            const uint8_t* pixels = image + (int64_t)(8 * by) * width + 8 * bx;
            float* out = coefficient + (int64_t)(8 * by) * width + 8 * bx;
            for (int v = 0; v < 8; ++v) {
                for (int u = 0; u < 8; ++u) {
                    float sum = 0.0f;
                    for (int y = 0; y < 8; ++y) {
                        for (int x = 0; x < 8; ++x)
                            sum += ((float)pixels[(int64_t)y * width + x] - 128.0f) * basis[v][y] * basis[u][x];
                    }
                    out[(int64_t)v * width + u] = sum * weight[8 * v + u];
                }
            }
        }
    }
}
