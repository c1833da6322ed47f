// Distance map: each pixel searches its row to both sides, and stops where columns alone are too far away.
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

__global__ void measure_rows(int height, int width, const int* up, int* squared) {
    const int x = blockIdx.x * kThreads + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    const int* row = up + (size_t)y * width;
    int best = row[x] * row[x];
    for (int d = 1; d * d < best; ++d) {
        if (x - d >= 0) best = min(best, d * d + row[x - d] * row[x - d]);
        if (x + d < width) best = min(best, d * d + row[x + d] * row[x + d]);
        if (x - d < 0 && x + d >= width) break;
    }
    squared[(size_t)y * width + x] = best;
}

extern "C" void distance_map(int height, int width, const int* label, int* squared) {
    int* up = nullptr;
    cudaMalloc(&up, (size_t)height * width * sizeof(int));
    measure_columns<<<(width - 1) / kThreads + 1, kThreads>>>(height, width, label, up);
    measure_rows<<<dim3((width - 1) / kThreads + 1, height), kThreads>>>(height, width, up, squared);
    cudaFree(up);
}
