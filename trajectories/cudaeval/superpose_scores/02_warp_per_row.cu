// Superposition: a warp has a pair and goes over its points once. Sums are relative to the first points, so that little cancels.
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

__device__ double warp_sum(double value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void compare(int pairs, int points, const float* __restrict__ first, const float* __restrict__ second,
                        float* __restrict__ score) {
    const int p = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (p >= pairs) return;
    const float *a = first + 3 * (size_t)p * points, *b = second + 3 * (size_t)p * points;
    double sum_a[3] = {}, sum_b[3] = {}, cross[3][3] = {}, size = 0.0;
    for (int i = lane; i < points; i += 32) {
        double u[3], v[3];
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            u[k] = (double)a[3 * i + k] - a[k];
            v[k] = (double)b[3 * i + k] - b[k];
            sum_a[k] += u[k];
            sum_b[k] += v[k];
            size += 0.5 * (u[k] * u[k] + v[k] * v[k]);
        }
#pragma unroll
        for (int r = 0; r < 3; ++r)
#pragma unroll
            for (int c = 0; c < 3; ++c) cross[r][c] += u[r] * v[c];
    }
    size = warp_sum(size);
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        sum_a[k] = warp_sum(sum_a[k]);
        sum_b[k] = warp_sum(sum_b[k]);
        size -= 0.5 * (sum_a[k] * sum_a[k] + sum_b[k] * sum_b[k]) / points;
    }
#pragma unroll
    for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int c = 0; c < 3; ++c) cross[r][c] = warp_sum(cross[r][c]) - sum_a[r] * sum_b[c] / points;
    if (lane == 0) score[p] = (float)((best_overlap(cross, size) + 0.01) / (size + 0.01));
}

extern "C" void superpose_scores(int pairs, int points, const float* first, const float* second, float* score) {
    compare<<<(pairs + 3) / 4, 128>>>(pairs, points, first, second, score);
}
