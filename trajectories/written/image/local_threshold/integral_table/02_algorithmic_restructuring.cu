// Local mean threshold from a summed-area table; running sums by one thread per row, then one per column.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kThreads = 128;

__device__ unsigned char is_ink(int value, int area, int sum, int bias) {
    return 100 * value * area < (100 - bias) * sum;
}

// The table wraps around at 2^32; differences of its entries do not mind.
__global__ void run_rows(int height, int width, const unsigned char* page, unsigned int* table) {
    const int y = blockIdx.x * kThreads + threadIdx.x;
    if (y >= height) return;
    unsigned int total = 0;
    for (int x = 0; x < width; ++x) table[(size_t)y * width + x] = total += page[(size_t)y * width + x];
}

__global__ void run_columns(int height, int width, unsigned int* table) {
    const int x = blockIdx.x * kThreads + threadIdx.x;
    if (x >= width) return;
    unsigned int total = 0;
    for (int y = 0; y < height; ++y) table[(size_t)y * width + x] = total += table[(size_t)y * width + x];
}

__device__ unsigned int entry(const unsigned int* table, int width, int y, int x) {
    return y < 0 || x < 0 ? 0 : table[(size_t)y * width + x];
}

__global__ void threshold(int height, int width, int radius, int bias, const unsigned char* page,
                          const unsigned int* table, unsigned char* ink) {
    const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    const int above = max(y - radius, 0) - 1, bottom = min(y + radius, height - 1);
    const int before = max(x - radius, 0) - 1, right = min(x + radius, width - 1);
    const unsigned int sum = entry(table, width, bottom, right) - entry(table, width, above, right) -
                             entry(table, width, bottom, before) + entry(table, width, above, before);
    const size_t i = (size_t)y * width + x;
    ink[i] = is_ink(page[i], (bottom - above) * (right - before), (int)sum, bias);
}

extern "C" void local_threshold(int height, int width, int radius, int bias, const unsigned char* page,
                                unsigned char* ink) {
    unsigned int* table = nullptr;
    cudaMalloc(&table, (size_t)height * width * sizeof(unsigned int));
    run_rows<<<(height - 1) / kThreads + 1, kThreads>>>(height, width, page, table);
    run_columns<<<(width - 1) / kThreads + 1, kThreads>>>(height, width, table);
    dim3 grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    threshold<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, radius, bias, page, table, ink);
    cudaFree(table);
}
