// Line-by-line absorption: four grid points per thread, cutoff as a maximum, approximate division.
#include <cuda_runtime.h>

constexpr float kStep = 0.015625f;
constexpr int kThreads = 64;
constexpr int kEach = 4;  // points per thread, kThreads apart

// The first line whose centre is at least `bound`.
__device__ int first_from(float bound, int lines, const float* centre) {
    int low = 0, high = lines;
    while (low < high) {
        int middle = (low + high) / 2;
        if (centre[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// x: centre, y: squared width, z: amplitude, w: amplitude times pedestal.
__global__ void prepare(int lines, float cutoff, const float* centre, const float* strength, const float* width,
                        float4* prepared) {
    int l = blockIdx.x * blockDim.x + threadIdx.x;
    if (l >= lines) return;
    float square = width[l] * width[l], amplitude = strength[l] * width[l];
    prepared[l] = make_float4(centre[l], square, amplitude, amplitude / (cutoff * cutoff + square));
}

__global__ void add_lines(int points, int lines, float cutoff, const float* centre, const float4* prepared,
                          float* absorption) {
    const int first = blockIdx.x * kThreads * kEach;
    float position[kEach], sum[kEach];
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        position[e] = (first + e * kThreads + (int)threadIdx.x) * kStep;
        sum[e] = 0.0f;
    }
    // One step more on both sides: rounding must not lose a line that the test below would take.
    const int left = first - 1, right = first + kThreads * kEach;
    const int begin = first_from(left * kStep - cutoff, lines, centre);
    const int end = first_from(right * kStep + cutoff, lines, centre);
    for (int l = begin; l < end; ++l) {
        const float4 line = prepared[l];
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
            float d = position[e] - line.x;
            sum[e] += fmaxf(__fdividef(line.z, d * d + line.y) - line.w, 0.0f);  // negative beyond the cutoff
        }
    }
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        int i = first + e * kThreads + threadIdx.x;
        if (i < points) absorption[i] = sum[e];
    }
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    float4* prepared = nullptr;
    cudaMalloc(&prepared, lines * sizeof(float4));
    prepare<<<(lines - 1) / kThreads + 1, kThreads>>>(lines, cutoff, centre, strength, width, prepared);
    add_lines<<<(points - 1) / (kThreads * kEach) + 1, kThreads>>>(points, lines, cutoff, centre, prepared, absorption);
    cudaFree(prepared);
}
