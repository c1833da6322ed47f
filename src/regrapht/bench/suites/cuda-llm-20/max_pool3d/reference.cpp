#include <cmath>

void max_pool3d(int batch, int channels, int depth, const float* x, float* y) {
    const int out = (depth - 5) / 2 + 1;
    for (int cube = 0; cube < batch * channels; cube++)
        for (int oz = 0; oz < out; oz++)
            for (int oy = 0; oy < out; oy++)
                for (int ox = 0; ox < out; ox++) {
                    float best = -INFINITY;
                    for (int kz = 0; kz < 3; kz++)
                        for (int ky = 0; ky < 3; ky++)
                            for (int kx = 0; kx < 3; kx++) {
                                const int z = 2 * oz - 1 + 3 * kz, row = 2 * oy - 1 + 3 * ky, column = 2 * ox - 1 + 3 * kx;
                                if (z < 0 || row < 0 || column < 0 || z >= depth || row >= depth || column >= depth) continue;
                                const float value = x[(((long)cube * depth + z) * depth + row) * depth + column];
                                best = value > best ? value : best;
                            }
                    y[(((long)cube * out + oz) * out + oy) * out + ox] = best;
                }
}
