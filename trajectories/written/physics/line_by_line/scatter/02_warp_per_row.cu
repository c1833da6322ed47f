// Line-by-line absorption: one warp per line, atomics on neighbouring points.
#include <cuda_runtime.h>

constexpr float kStep = 0.015625f;

__global__ void add_lines(int points, int lines, float cutoff, const float* centre, const float* strength,
                          const float* width, float* absorption) {
    const int l = blockIdx.x * blockDim.y + threadIdx.y;
    if (l >= lines) return;
    const float square = width[l] * width[l], amplitude = strength[l] * width[l];
    const float pedestal = 1.0f / (cutoff * cutoff + square);
    const int first = max(0, (int)floorf((centre[l] - cutoff) / kStep) - 1);
    const int last = min(points - 1, (int)ceilf((centre[l] + cutoff) / kStep) + 1);
    for (int i = first + threadIdx.x; i <= last; i += 32) {
        float d = i * kStep - centre[l];
        if (fabsf(d) < cutoff) atomicAdd(&absorption[i], amplitude * (1.0f / (d * d + square) - pedestal));
    }
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    const int warps = 8;
    cudaMemsetAsync(absorption, 0, points * sizeof(float));
    add_lines<<<(lines - 1) / warps + 1, dim3(32, warps)>>>(points, lines, cutoff, centre, strength, width, absorption);
}
