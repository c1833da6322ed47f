// Distance map: a thread goes down and up one column, then a thread builds and reads the envelope of one row.
#include <cuda_runtime.h>

constexpr int kThreads = 64;

__global__ void measure_columns(int height, int width, const int* label, int* up) {
    const int x = blockIdx.x * kThreads + threadIdx.x;
    if (x >= width) return;
    const int far = height + width;
    int seen = far;
    for (int y = 0; y < height; ++y) {
        seen = label[(size_t)y * width + x] == 0 ? 0 : min(seen + 1, far);
        up[(size_t)y * width + x] = seen;
    }
    seen = far;
    for (int y = height - 1; y >= 0; --y) {
        const int best = up[(size_t)y * width + x];
        seen = best == 0 ? 0 : min(seen + 1, far);
        if (seen < best) up[(size_t)y * width + x] = seen;
    }
}

__device__ int value_at(int x, int i, const int* up) { return (x - i) * (x - i) + up[i] * up[i]; }

__global__ void measure_rows(int height, int width, const int* up, int* squared, int2* stack) {
    const int y = blockIdx.x * kThreads + threadIdx.x;
    if (y >= height) return;
    const int* row = up + (size_t)y * width;
    int2* envelope = stack + (size_t)y * width;  // the parabola and where it begins to be the lowest
    int last = -1;
    for (int i = 0; i < width; ++i) {
        while (last >= 0 && value_at(envelope[last].y, envelope[last].x, row) > value_at(envelope[last].y, i, row)) --last;
        if (last < 0) {
            envelope[++last] = make_int2(i, 0);
        } else {
            const int k = envelope[last].x, start = 1 + (i * i - k * k + row[i] * row[i] - row[k] * row[k]) / (2 * (i - k));
            if (start < width) envelope[++last] = make_int2(i, start);
        }
    }
    for (int x = width - 1; x >= 0; --x) {
        squared[(size_t)y * width + x] = value_at(x, envelope[last].x, row);
        if (x == envelope[last].y) --last;
    }
}

extern "C" void distance_map(int height, int width, const int* label, int* squared) {
    int* up = nullptr;
    int2* stack = nullptr;
    cudaMalloc(&up, (size_t)height * width * sizeof(int));
    cudaMalloc(&stack, (size_t)height * width * sizeof(int2));
    measure_columns<<<(width - 1) / kThreads + 1, kThreads>>>(height, width, label, up);
    measure_rows<<<(height - 1) / kThreads + 1, kThreads>>>(height, width, up, squared, stack);
    cudaFree(up);
    cudaFree(stack);
}
