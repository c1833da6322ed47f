// Hysteresis: one pixel a thread; rounds in which weak pixels beside an edge join it, until nothing changes.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;

__global__ void mark_strong(int height, int width, int high, const unsigned char* gradient, int* joined) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < width && y < height) joined[(size_t)y * width + x] = gradient[(size_t)y * width + x] >= high;
}

__global__ void spread(int height, int width, int low, const unsigned char* gradient, int* joined, int* changed) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t at = (size_t)y * width + x;
    volatile int* seen = joined;
    if (gradient[at] < low || seen[at]) return;
    for (int ny = max(y - 1, 0); ny <= min(y + 1, height - 1); ++ny) {
        for (int nx = max(x - 1, 0); nx <= min(x + 1, width - 1); ++nx) {
            if (!seen[(size_t)ny * width + nx]) continue;
            atomicExch(&joined[at], 1);
            atomicExch(changed, 1);
            return;
        }
    }
}

__global__ void write_edges(int height, int width, const int* joined, unsigned char* edge) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < width && y < height) edge[(size_t)y * width + x] = joined[(size_t)y * width + x] ? 255 : 0;
}

extern "C" void hysteresis_edges(int height, int width, int low, int high, const unsigned char* gradient, unsigned char* edge) {
    const dim3 blocks((width - 1) / kAcross + 1, (height - 1) / kDown + 1), threads(kAcross, kDown);
    int *joined = nullptr, *changed = nullptr;
    cudaMalloc(&joined, (size_t)height * width * sizeof(int));
    cudaMalloc(&changed, sizeof(int));
    mark_strong<<<blocks, threads>>>(height, width, high, gradient, joined);
    for (int again = 1; again != 0;) {
        cudaMemsetAsync(changed, 0, sizeof(int));
        spread<<<blocks, threads>>>(height, width, low, gradient, joined, changed);
        cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    write_edges<<<blocks, threads>>>(height, width, joined, edge);
    cudaFree(joined);
    cudaFree(changed);
}
