// Bicubic Bezier patches on a regular parameter grid.
#include <cstddef>

static void bernstein(int step, int side, float* weight) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    weight[0] = s * s * s;
    weight[1] = 3.0f * t * s * s;
    weight[2] = 3.0f * t * t * s;
    weight[3] = t * t * t;
}

void bezier_patches(int patches, int side, const float* control, float* surface) {
    for (size_t p = 0; p < (size_t)patches; ++p) {
        for (int i = 0; i < side; ++i) {
            float along_u[4];
            bernstein(i, side, along_u);
            for (int j = 0; j < side; ++j) {
                float along_v[4], point[3] = {0.0f, 0.0f, 0.0f};
                bernstein(j, side, along_v);
                for (int r = 0; r < 4; ++r)
                    for (int c = 0; c < 4; ++c)
                        for (int k = 0; k < 3; ++k)
                            point[k] += along_u[r] * along_v[c] * control[p * 48 + (size_t)(r * 4 + c) * 3 + k];
                for (int k = 0; k < 3; ++k) surface[((p * side + i) * side + j) * 3 + k] = point[k];
            }
        }
    }
}
