#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// line_by_line: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr float kStep = 0.015625f;

__global__ void line_by_line_1_map(int points, float* absorption) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < points) {
        absorption[i] = 0.0f;
    }
}

__global__ void line_by_line_2_update(int points, int lines, float cutoff, const float* centre, const float* strength,
                                      const float* width, float* absorption) {
    const int l = blockIdx.x * 256 + threadIdx.x;
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
        line_by_line_1_map<<<(points - 1) / 256 + 1, 256>>>(points, absorption);
    }
    if (lines >= 1) {
        line_by_line_2_update<<<(lines - 1) / 256 + 1, 256>>>(points, lines, cutoff, centre, strength, width,
                                                              absorption);
    }
}