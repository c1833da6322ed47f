// Sand: what falls is written to an array of its own, then one cell a thread gathers it.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void cut(int cells, int* heights, int* falling) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    falling[i] = heights[i] / 4;
    heights[i] %= 4;
}

__global__ void gather(int rows, int cols, const int* falling, int* heights, unsigned long long* lost) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r >= rows || c >= cols) return;
    const int at = r * cols + c, out = (r == 0) + (r == rows - 1) + (c == 0) + (c == cols - 1);
    int sum = heights[at];
    if (r > 0) sum += falling[at - cols];
    if (r < rows - 1) sum += falling[at + cols];
    if (c > 0) sum += falling[at - 1];
    if (c < cols - 1) sum += falling[at + 1];
    heights[at] = sum;
    if (out && falling[at]) atomicAdd(lost, (unsigned long long)out * falling[at]);
}

extern "C" void sand_pile(int rows, int cols, int rounds, int32_t* heights, int64_t* lost) {
    const int cells = rows * cols;
    int* falling = nullptr;
    cudaMallocAsync(&falling, sizeof(int) * cells, 0);
    cudaMemsetAsync(lost, 0, sizeof(int64_t));
    for (int k = 0; k < rounds; ++k) {
        cut<<<(cells + 255) / 256, 256>>>(cells, heights, falling);
        gather<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, falling, heights, reinterpret_cast<unsigned long long*>(lost));
    }
    cudaFreeAsync(falling, 0);
}
