// Gradient histograms: one sample a thread.
#include <cuda_runtime.h>

#include <cstdint>

struct Cell {
    int sum, count;
};

__global__ void collect(int samples, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                        Cell* histogram) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= samples || leaf[r] >= leaves) return;
    const uint8_t* value = bin + (long long)r * features;
    Cell* mine = histogram + leaf[r] * features * 32;
    for (int f = 0; f < features; ++f, mine += 32) {
        atomicAdd(&mine[value[f]].sum, gradient[r]);
        atomicAdd(&mine[value[f]].count, 1);
    }
}

extern "C" void leaf_histograms(int samples, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                                Cell* histogram) {
    cudaMemsetAsync(histogram, 0, sizeof(Cell) * leaves * features * 32);
    collect<<<(samples - 1) / 256 + 1, 256>>>(samples, features, leaves, bin, gradient, leaf, histogram);
}
