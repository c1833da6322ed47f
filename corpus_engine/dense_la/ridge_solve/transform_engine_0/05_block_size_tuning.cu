#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// ridge_solve: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// loop_unrolling(factor 4): innermost loops unrolled.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// block_size_tuning(block 128): another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void ridge_solve_1_map(int batch, int k, const float* __restrict__ gram, const float* __restrict__ ridge,
                                  const float* __restrict__ rhs, float* __restrict__ x) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int b = blockIdx.x * 256 + threadIdx.x + part * 128;
        float s;
        float L[32][32];
        float s_2;
        float y[32];
        float s_3;
        if (b < batch) {
            for (int c1 = 0; c1 < k; ++c1) {
                for (int c3 = 0; c3 <= c1; ++c3) {
                    s = gram[(long long)b * k * k + (c1 * k + c3)];
                    if (c1 == c3) {
                        s += ridge[b];
                    }
#pragma unroll 4
                    for (int p = 0; p < c3; ++p) {
                        s -= L[c1][p] * L[c3][p];
                    }
                    L[c1][c3] = c1 == c3 ? sqrt(s) : s / L[c3][c3];
                }
            }
            for (int c1 = 0; c1 < k; ++c1) {
                s_2 = rhs[b * k + c1];
#pragma unroll 4
                for (int c3 = 0; c3 < c1; ++c3) {
                    s_2 -= L[c1][c3] * y[c3];
                }
                y[c1] = s_2 / L[c1][c1];
            }
            for (int c1 = -k + 1; c1 <= 0; ++c1) {
                s_3 = y[-c1];
#pragma unroll 4
                for (int c3 = -c1 + 1; c3 < k; ++c3) {
                    s_3 -= L[c3][-c1] * x[b * k + c3];
                }
                x[b * k + (-c1)] = s_3 / L[-c1][-c1];
            }
        }
    }
}

extern "C" void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    if (batch >= 1) {
        ridge_solve_1_map<<<(batch - 1) / 256 + 1, 128>>>(batch, k, gram, ridge, rhs, x);
    }
}