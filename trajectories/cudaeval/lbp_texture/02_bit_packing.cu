// Patterns: the eight marks are bits of a word; changes are bits of the word xored with itself turned by one.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int height, int width, const uint8_t* grey, int* counts) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 1 || y < 1 || x + 1 >= width || y + 1 >= height) return;
    const uint8_t *row = grey + y * width + x, *up = row - width, *down = row + width;
    const int own = *row;
    const unsigned marks = (up[-1] >= own) | (up[0] >= own) << 1 | (up[1] >= own) << 2 | (row[1] >= own) << 3 | (down[1] >= own) << 4 |
                           (down[0] >= own) << 5 | (down[-1] >= own) << 6 | (row[-1] >= own) << 7;
    const unsigned turned = (marks << 1 | marks >> 7) & 255;
    atomicAdd(&counts[10 * (blockIdx.y * gridDim.x + blockIdx.x) + (__popc(marks ^ turned) <= 2 ? __popc(marks) : 9)], 1);
}

extern "C" void lbp_texture(int height, int width, const uint8_t* grey, int32_t* counts) {
    const dim3 cells((width + 15) / 16, (height + 15) / 16);
    cudaMemsetAsync(counts, 0, 40ull * cells.x * cells.y);
    count<<<cells, dim3(16, 16)>>>(height, width, grey, counts);
}
