// Line-by-line absorption: one thread per grid point, lines prepared once as four numbers.
#include <cuda_runtime.h>

constexpr float kStep = 0.015625f;

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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const float position = i * kStep;
    // One step more on both sides: rounding must not lose a line that the test below would take.
    const int left = blockIdx.x * blockDim.x - 1, right = left + blockDim.x + 1;
    const int begin = first_from(left * kStep - cutoff, lines, centre);
    const int end = first_from(right * kStep + cutoff, lines, centre);
    float sum = 0.0f;
    for (int l = begin; l < end; ++l) {
        const float4 line = prepared[l];
        float d = position - line.x;
        if (fabsf(d) < cutoff) sum += line.z / (d * d + line.y) - line.w;
    }
    absorption[i] = sum;
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    const int threads = 256;
    float4* prepared = nullptr;
    cudaMalloc(&prepared, lines * sizeof(float4));
    prepare<<<(lines - 1) / threads + 1, threads>>>(lines, cutoff, centre, strength, width, prepared);
    add_lines<<<(points - 1) / threads + 1, threads>>>(points, lines, cutoff, centre, prepared, absorption);
    cudaFree(prepared);
}
