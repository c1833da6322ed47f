// Line-by-line absorption: a block adds 64 lines to the points of their stretch, a sum in a register per point.
#include <cuda_runtime.h>

constexpr float kStep = 0.015625f;
constexpr int kThreads = 256;
constexpr int kGroup = 64;  // lines per block

__global__ void add_lines(int points, int lines, float cutoff, const float* centre, const float* strength,
                          const float* width, float* absorption) {
    __shared__ float4 staged[kGroup];  // centre, squared width, amplitude, amplitude times pedestal
    const int begin = blockIdx.x * kGroup, count = min(kGroup, lines - begin);
    if ((int)threadIdx.x < count) {
        int l = begin + threadIdx.x;
        float square = width[l] * width[l], amplitude = strength[l] * width[l];
        staged[threadIdx.x] = make_float4(centre[l], square, amplitude, amplitude / (cutoff * cutoff + square));
    }
    __syncthreads();
    const int first = max(0, (int)floorf((staged[0].x - cutoff) / kStep) - 1);
    const int last = min(points - 1, (int)ceilf((staged[count - 1].x + cutoff) / kStep) + 1);
    for (int i = first + threadIdx.x; i <= last; i += kThreads) {
        const float position = i * kStep;
        float sum = 0.0f;
        for (int k = 0; k < count; ++k) {
            const float4 line = staged[k];
            float d = position - line.x;
            if (fabsf(d) < cutoff) sum += line.z / (d * d + line.y) - line.w;
        }
        if (sum != 0.0f) atomicAdd(&absorption[i], sum);
    }
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    cudaMemsetAsync(absorption, 0, points * sizeof(float));
    add_lines<<<(lines - 1) / kGroup + 1, kThreads>>>(points, lines, cutoff, centre, strength, width, absorption);
}
