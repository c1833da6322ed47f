// Filling pits: the host looks only after every 16 rounds whether anything still sank; a round too many changes nothing.
#include <cuda_runtime.h>

#include <utility>

constexpr int kFlood = 1 << 30;

__global__ void flood(int rows, int cols, const short* height, int* level) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    bool rim = x == 0 || y == 0 || x == cols - 1 || y == rows - 1;
    level[(long long)y * cols + x] = rim ? height[(long long)y * cols + x] : kFlood;
}

__global__ void drain(int rows, int cols, const short* height, const int* level, int* next, int* sinking) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    long long cell = (long long)y * cols + x;
    int now = level[cell], sunk = now;
    if (x > 0 && y > 0 && x < cols - 1 && y < rows - 1) {
        int lowest = kFlood;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) lowest = min(lowest, level[cell + (long long)dy * cols + dx]);
        sunk = min(now, max((int)height[cell], lowest));
    }
    next[cell] = sunk;
    if (sunk != now) *sinking = 1;
}

extern "C" void depression_fill(int rows, int cols, const short* height, int* level) {
    if (rows <= 0 || cols <= 0) return;
    size_t bytes = (size_t)rows * cols * sizeof(int);
    int *other = nullptr, *sinking = nullptr;
    cudaMalloc(&other, bytes);
    cudaMalloc(&sinking, sizeof(int));
    dim3 block(32, 8), grid((cols + 31) / 32, (rows + 7) / 8);
    flood<<<grid, block>>>(rows, cols, height, level);
    for (int more = 1; more;) {  // an even number of rounds ends in `level`
        cudaMemsetAsync(sinking, 0, sizeof(int));
        for (int round = 0; round < 16; round += 2) {
            drain<<<grid, block>>>(rows, cols, height, level, other, sinking);
            drain<<<grid, block>>>(rows, cols, height, other, level, sinking);
        }
        cudaMemcpy(&more, sinking, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(other);
    cudaFree(sinking);
}
