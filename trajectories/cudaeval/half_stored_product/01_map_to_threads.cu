// Half-stored: one row a thread, atomics on both sides, then another launch for the energy.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int n, const int* start, const int* column, const int* value, const int* x, unsigned long long* y) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    for (int k = start[r]; k < start[r + 1]; ++k) {
        const int c = column[k];
        atomicAdd(&y[r], (unsigned long long)((long long)value[k] * x[c]));
        if (c != r) atomicAdd(&y[c], (unsigned long long)((long long)value[k] * x[r]));
    }
}

__global__ void form(int n, const int* x, const int64_t* y, unsigned long long* energy) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) atomicAdd(energy, (unsigned long long)(x[r] * y[r]));
}

extern "C" void half_stored_product(int n, int, const int32_t* start, const int32_t* column, const int32_t* value, const int32_t* x, int64_t* y, int64_t* energy) {
    cudaMemsetAsync(y, 0, sizeof(int64_t) * n);
    cudaMemsetAsync(energy, 0, sizeof(int64_t));
    multiply<<<(n + 127) / 128, 128>>>(n, start, column, value, x, reinterpret_cast<unsigned long long*>(y));
    form<<<(n + 127) / 128, 128>>>(n, x, y, reinterpret_cast<unsigned long long*>(energy));
}
