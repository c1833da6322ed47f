#include <algorithm>

void layer_norm_gradient(int rows, int width, const float* x, const float* gain, const float* dy, const float* mean, const float* inv, float* dx,
                         float* dgain, float* dbias)
{
    std::fill_n(dgain, width, 0.0f);
    std::fill_n(dbias, width, 0.0f);
    for (int r = 0; r < rows; ++r, x += width, dy += width, dx += width) {
        float along = 0.0f, across = 0.0f;
        for (int c = 0; c < width; ++c) {
            const float normal = (x[c] - mean[r]) * inv[r];
            along += dy[c] * gain[c];
            across += dy[c] * gain[c] * normal;
            dgain[c] += dy[c] * normal;
            dbias[c] += dy[c];
        }
        for (int c = 0; c < width; ++c) {
            const float normal = (x[c] - mean[r]) * inv[r];
            dx[c] = inv[r] * (dy[c] * gain[c] - along / width - normal * across / width);
        }
    }
}
