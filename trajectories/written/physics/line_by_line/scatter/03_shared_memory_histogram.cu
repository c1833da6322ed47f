// Line-by-line absorption: a block adds 64 consecutive lines in a private stretch of the grid in shared memory.
#include <cuda_runtime.h>

constexpr float kStep = 0.015625f;
constexpr int kWarps = 8;
constexpr int kGroup = 64;      // lines per block
constexpr int kStretch = 4096;  // private points

__device__ int first_point(float centre, float cutoff) { return max(0, (int)floorf((centre - cutoff) / kStep) - 1); }

__device__ int last_point(float centre, float cutoff, int points) {
    return min(points - 1, (int)ceilf((centre + cutoff) / kStep) + 1);
}

__global__ void add_lines(int points, int lines, float cutoff, const float* centre, const float* strength,
                          const float* width, float* absorption) {
    __shared__ float stretch[kStretch];
    const int begin = blockIdx.x * kGroup, end = min(begin + kGroup, lines);
    const int base = first_point(centre[begin], cutoff);
    const int used = min(last_point(centre[end - 1], cutoff, points) - base + 1, kStretch);
    const int t = threadIdx.y * 32 + threadIdx.x;
    for (int k = t; k < used; k += 32 * kWarps) stretch[k] = 0.0f;
    __syncthreads();

    for (int l = begin + threadIdx.y; l < end; l += kWarps) {
        const float square = width[l] * width[l], amplitude = strength[l] * width[l];
        const float pedestal = 1.0f / (cutoff * cutoff + square);
        const int last = last_point(centre[l], cutoff, points);
        for (int i = first_point(centre[l], cutoff) + threadIdx.x; i <= last; i += 32) {
            float d = i * kStep - centre[l];
            if (fabsf(d) >= cutoff) continue;
            float term = amplitude * (1.0f / (d * d + square) - pedestal);
            if (i - base < kStretch)
                atomicAdd(&stretch[i - base], term);
            else
                atomicAdd(&absorption[i], term);
        }
    }
    __syncthreads();
    for (int k = t; k < used; k += 32 * kWarps)
        if (stretch[k] != 0.0f) atomicAdd(&absorption[base + k], stretch[k]);
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    cudaMemsetAsync(absorption, 0, points * sizeof(float));
    add_lines<<<(lines - 1) / kGroup + 1, dim3(32, kWarps)>>>(points, lines, cutoff, centre, strength, width,
                                                              absorption);
}
