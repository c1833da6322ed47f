// Line-by-line absorption: one thread per line, atomics on the grid.
#include <cuda_runtime.h>

constexpr float kStep = 0.015625f;

__global__ void add_lines(int points, int lines, float cutoff, const float* centre, const float* strength,
                          const float* width, float* absorption) {
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    if (l >= lines) return;
    const float square = width[l] * width[l], amplitude = strength[l] * width[l];
    const float pedestal = 1.0f / (cutoff * cutoff + square);
    const int first = max(0, (int)floorf((centre[l] - cutoff) / kStep) - 1);
    const int last = min(points - 1, (int)ceilf((centre[l] + cutoff) / kStep) + 1);
    for (int i = first; i <= last; ++i) {
        float d = i * kStep - centre[l];
        if (fabsf(d) < cutoff) atomicAdd(&absorption[i], amplitude * (1.0f / (d * d + square) - pedestal));
    }
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    const int threads = 128;
    cudaMemsetAsync(absorption, 0, points * sizeof(float));
    add_lines<<<(lines - 1) / threads + 1, threads>>>(points, lines, cutoff, centre, strength, width, absorption);
}
