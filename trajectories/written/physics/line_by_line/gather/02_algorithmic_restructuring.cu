// Line-by-line absorption: one thread per grid point, lines from the block's window by binary search.
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

__global__ void add_lines(int points, int lines, float cutoff, const float* centre, const float* strength,
                          const float* width, float* absorption) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const float position = i * kStep;
    // One step more on both sides: rounding must not lose a line that the test below would take.
    const int left = blockIdx.x * blockDim.x - 1, right = left + blockDim.x + 1;
    const int begin = first_from(left * kStep - cutoff, lines, centre);
    const int end = first_from(right * kStep + cutoff, lines, centre);
    float sum = 0.0f;
    for (int l = begin; l < end; ++l) {
        float d = position - centre[l];
        if (fabsf(d) >= cutoff) continue;
        float square = width[l] * width[l], pedestal = 1.0f / (cutoff * cutoff + square);
        sum += strength[l] * width[l] * (1.0f / (d * d + square) - pedestal);
    }
    absorption[i] = sum;
}

extern "C" void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength,
                             const float* width, float* absorption) {
    const int threads = 256;
    add_lines<<<(points - 1) / threads + 1, threads>>>(points, lines, cutoff, centre, strength, width, absorption);
}
