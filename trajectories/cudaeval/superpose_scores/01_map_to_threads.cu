// Superposition: one pair a thread.
#include <cuda_runtime.h>

#include <cstddef>

// The largest eigenvalue of the quaternion matrix of the cross moments, by Newton's method from above.
__device__ double best_overlap(const double (*s)[3], double size) {
    double squares = 0.0, minors = 0.0;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
#pragma unroll
        for (int j = 0; j < 3; ++j) {
            const int r = (i + 1) % 3, t = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            const double minor = s[r][c] * s[t][d] - s[r][d] * s[t][c];
            minors += minor * minor;
            squares += s[i][j] * s[i][j];
        }
    }
    const double det = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1]) - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
                       s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
    const double c2 = -2.0 * squares, c1 = -8.0 * det, c0 = squares * squares - 4.0 * minors;
    double x = size;
    for (int round = 0; round < 50; ++round) {
        const double value = ((x * x + c2) * x + c1) * x + c0, slope = (4.0 * x * x + 2.0 * c2) * x + c1;
        if (slope <= 0.0) break;
        const double step = value / slope;
        x -= step;
        if (step < 1e-9 * x) break;
    }
    return x;
}

__global__ void compare(int pairs, int points, const float* first, const float* second, float* score) {
    const int p = blockIdx.x * 64 + threadIdx.x;
    if (p >= pairs) return;
    const float *a = first + 3 * (size_t)p * points, *b = second + 3 * (size_t)p * points;
    double center_a[3] = {}, center_b[3] = {}, cross[3][3] = {}, size = 0.0;
    for (int i = 0; i < points; ++i) {
        for (int k = 0; k < 3; ++k) {
            center_a[k] += a[3 * i + k];
            center_b[k] += b[3 * i + k];
        }
    }
    for (int k = 0; k < 3; ++k) center_a[k] /= points, center_b[k] /= points;
    for (int i = 0; i < points; ++i) {
        for (int r = 0; r < 3; ++r) {
            const double u = a[3 * i + r] - center_a[r], v = b[3 * i + r] - center_b[r];
            size += 0.5 * (u * u + v * v);
            for (int c = 0; c < 3; ++c) cross[r][c] += u * (b[3 * i + c] - center_b[c]);
        }
    }
    score[p] = (float)((best_overlap(cross, size) + 0.01) / (size + 0.01));
}

extern "C" void superpose_scores(int pairs, int points, const float* first, const float* second, float* score) {
    compare<<<(pairs + 63) / 64, 64>>>(pairs, points, first, second, score);
}
