#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// line_by_line: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// vectorised_access(width 4) [nest 1]: neighbouring elements loaded and stored together.
// block_size_tuning(block 128) [nest 1, 2]: another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr float kStep = 0.015625f;

__global__ void line_by_line_1_map(int points, float* absorption) {
    const int i_first = (blockIdx.x * 128 + threadIdx.x) * 4;
    const bool whole_groups = (size_t)absorption % 16 == 0;
    // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && points >= i_first + 4) {
        alignas(16) float absorption_lanes[4];
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            absorption_lanes[lane] = 0.0f;
        }
        *reinterpret_cast<float4*>(&absorption[i_first]) = *reinterpret_cast<const float4*>(absorption_lanes);
    } else {
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int i = i_first + lane;
            if (i < points) {
                absorption[i] = 0.0f;
            }
        }
    }
}

__global__ void line_by_line_2_update(int points, int lines, float cutoff, const float* centre, const float* strength,
                                      const float* width, float* absorption) {
    const int l = blockIdx.x * 128 + threadIdx.x;
    if (l < lines) {
        const float square = width[l] * width[l];
        const float pedestal = 1.0f / (cutoff * cutoff + square);
        const int first = max(0, (int)floor((centre[l] - cutoff) / kStep) - 1);
        const int last = min(points - 1, (int)ceil((centre[l] + cutoff) / kStep) + 1);
        for (int i = first; i <= last; ++i) {
            const float d = i * kStep - centre[l];
            if (!(fabs(d) >= cutoff)) {
                atomicAdd(&absorption[i], strength[l] * width[l] * (1.0f / (d * d + square) - pedestal));
            }
        }
    }
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    if (points >= 1) {
        line_by_line_1_map<<<((points - 1) / 4) / 128 + 1, 128>>>(points, absorption);
    }
    if (lines >= 1) {
        line_by_line_2_update<<<(lines - 1) / 128 + 1, 128>>>(points, lines, cutoff, centre, strength, width,
                                                              absorption);
    }
}