// Half-stored: eight lanes a row; a row's own sum is added once.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int n, const int* __restrict__ start, const int* __restrict__ column, const int* __restrict__ value, const int* __restrict__ x, unsigned long long* y) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    const int from = r < n ? start[r] : 0, to = r < n ? start[r + 1] : 0, own = r < n ? x[r] : 0;
    long long sum = 0;
    for (int k = from + lane; k < to; k += 8) {
        const int c = column[k], v = value[k];
        sum += (long long)v * x[c];
        if (c != r) atomicAdd(&y[c], (unsigned long long)((long long)v * own));
    }
    for (int apart = 4; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (r < n && lane == 0 && sum) atomicAdd(&y[r], (unsigned long long)sum);
}

__global__ void form(int n, const int* x, const int64_t* y, unsigned long long* energy) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) atomicAdd(energy, (unsigned long long)(x[r] * y[r]));
}

extern "C" void half_stored_product(int n, int, const int32_t* start, const int32_t* column, const int32_t* value, const int32_t* x, int64_t* y, int64_t* energy) {
    cudaMemsetAsync(y, 0, sizeof(int64_t) * n);
    cudaMemsetAsync(energy, 0, sizeof(int64_t));
    multiply<<<(n + 15) / 16, 128>>>(n, start, column, value, x, reinterpret_cast<unsigned long long*>(y));
    form<<<(n + 127) / 128, 128>>>(n, x, y, reinterpret_cast<unsigned long long*>(energy));
}
