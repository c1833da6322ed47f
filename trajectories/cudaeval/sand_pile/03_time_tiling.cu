// Sand: a tile goes four rounds on in shared memory, with a border of four cells that is worked out twice.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kDeep = 4, kWide = 32 + 2 * kDeep;

__global__ void topple(int rows, int cols, int rounds, const int* __restrict__ from, int* __restrict__ to, unsigned long long* lost) {
    __shared__ int tile[2][kWide][kWide];
    __shared__ unsigned long long over_rim;
    const int t = threadIdx.y * 32 + threadIdx.x, top = (int)blockIdx.y * 32 - kDeep, left = (int)blockIdx.x * 32 - kDeep;
    if (t == 0) over_rim = 0;
    for (int i = t; i < kWide * kWide; i += 256) {
        const int r = top + i / kWide, c = left + i % kWide;
        tile[0][i / kWide][i % kWide] = r >= 0 && r < rows && c >= 0 && c < cols ? from[r * cols + c] : 0;
        tile[1][i / kWide][i % kWide] = 0;
    }
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        for (int i = t; i < kWide * kWide; i += 256) {
            const int y = i / kWide, x = i % kWide, r = top + y, c = left + x;
            if (y <= k || x <= k || y >= kWide - 1 - k || x >= kWide - 1 - k || r < 0 || c < 0 || r >= rows || c >= cols) continue;
            const int own = tile[k % 2][y][x], out = (r == 0) + (r == rows - 1) + (c == 0) + (c == cols - 1);
            tile[(k + 1) % 2][y][x] = (own & 3) + (tile[k % 2][y - 1][x] >> 2) + (tile[k % 2][y + 1][x] >> 2) + (tile[k % 2][y][x - 1] >> 2) +
                                      (tile[k % 2][y][x + 1] >> 2);
            if (out && own >> 2 && y >= kDeep && x >= kDeep && y < kDeep + 32 && x < kDeep + 32)
                atomicAdd(&over_rim, (unsigned long long)out * (own >> 2));
        }
        __syncthreads();
    }
    for (int i = t; i < 1024; i += 256) {
        const int y = i / 32 + kDeep, x = i % 32 + kDeep, r = top + y, c = left + x;
        if (r < rows && c < cols) to[r * cols + c] = tile[rounds % 2][y][x];
    }
    if (t == 0 && over_rim) atomicAdd(lost, over_rim);
}

extern "C" void sand_pile(int rows, int cols, int rounds, int32_t* heights, int64_t* lost) {
    const size_t bytes = sizeof(int) * (size_t)rows * cols;
    int* other = nullptr;
    cudaMallocAsync(&other, bytes, 0);
    cudaMemsetAsync(lost, 0, sizeof(int64_t));
    int turn = 0;
    for (int done = 0; done < rounds; done += kDeep, turn ^= 1)
        topple<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(rows, cols, rounds - done < kDeep ? rounds - done : kDeep, turn ? other : heights,
                                                                       turn ? heights : other, reinterpret_cast<unsigned long long*>(lost));
    if (turn) cudaMemcpyAsync(heights, other, bytes, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(other, 0);
}
