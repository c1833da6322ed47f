// Patterns: the cell and the pixels around it stand in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int height, int width, const uint8_t* __restrict__ grey, int* __restrict__ counts) {
    __shared__ int own_counts[10];
    __shared__ uint8_t tile[18][20];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, t = threadIdx.y * 16 + threadIdx.x;
    if (t < 10) own_counts[t] = 0;
    for (int i = t; i < 18 * 18; i += 256) {
        const int v = (int)blockIdx.y * 16 - 1 + i / 18, u = (int)blockIdx.x * 16 - 1 + i % 18;
        tile[i / 18][i % 18] = v >= 0 && v < height && u >= 0 && u < width ? grey[v * width + u] : 0;
    }
    __syncthreads();
    if (x >= 1 && y >= 1 && x + 1 < width && y + 1 < height) {
        const int r = threadIdx.y + 1, c = threadIdx.x + 1, own = tile[r][c];
        const unsigned marks = (tile[r - 1][c - 1] >= own) | (tile[r - 1][c] >= own) << 1 | (tile[r - 1][c + 1] >= own) << 2 | (tile[r][c + 1] >= own) << 3 |
                               (tile[r + 1][c + 1] >= own) << 4 | (tile[r + 1][c] >= own) << 5 | (tile[r + 1][c - 1] >= own) << 6 | (tile[r][c - 1] >= own) << 7;
        const unsigned turned = (marks << 1 | marks >> 7) & 255;
        atomicAdd(&own_counts[__popc(marks ^ turned) <= 2 ? __popc(marks) : 9], 1);
    }
    __syncthreads();
    if (t < 10) counts[10 * (blockIdx.y * gridDim.x + blockIdx.x) + t] = own_counts[t];
}

extern "C" void lbp_texture(int height, int width, const uint8_t* grey, int32_t* counts) {
    count<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(height, width, grey, counts);
}
