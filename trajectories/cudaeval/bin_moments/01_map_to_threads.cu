// Moments by bin: one measurement a thread.
#include <cuda_runtime.h>

#include <cstdint>

using Wide = unsigned long long;  // sums wrap around alike, with a sign and without

__global__ void add(int n, const uint16_t* bin, const int32_t* value, int32_t* count, Wide* sum, Wide* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const long long v = value[i];
    atomicAdd(count + bin[i], 1);
    atomicAdd(sum + bin[i], (Wide)v);
    atomicAdd(squares + bin[i], (Wide)(v * v));
}

extern "C" void bin_moments(int n, int bins, const uint16_t* bin, const int32_t* value, int32_t* count, int64_t* sum, int64_t* squares) {
    cudaMemsetAsync(count, 0, sizeof(int32_t) * bins);
    cudaMemsetAsync(sum, 0, sizeof(int64_t) * bins);
    cudaMemsetAsync(squares, 0, sizeof(int64_t) * bins);
    if (n > 0) add<<<(n + 255) / 256, 256>>>(n, bin, value, count, (Wide*)sum, (Wide*)squares);
}
