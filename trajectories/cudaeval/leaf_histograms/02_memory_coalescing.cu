// Gradient histograms: neighbouring threads take neighbouring features of a sample.
#include <cuda_runtime.h>

#include <cstdint>

struct Cell {
    int sum, count;
};

__global__ void collect(long long values, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                        Cell* histogram) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= values) return;
    const int r = (int)(at / features), f = (int)(at % features);
    if (leaf[r] >= leaves) return;
    Cell* mine = histogram + (leaf[r] * features + f) * 32 + bin[at];
    atomicAdd(&mine->sum, gradient[r]);
    atomicAdd(&mine->count, 1);
}

extern "C" void leaf_histograms(int samples, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                                Cell* histogram) {
    cudaMemsetAsync(histogram, 0, sizeof(Cell) * leaves * features * 32);
    const long long values = (long long)samples * features;
    collect<<<(unsigned)((values - 1) / 256 + 1), 256>>>(values, features, leaves, bin, gradient, leaf, histogram);
}
