// Half-stored: the energy comes from the entries themselves (twice those beside the diagonal), so that y is not read again.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int n, const int* __restrict__ start, const int* __restrict__ column, const int* __restrict__ value, const int* __restrict__ x,
                         unsigned long long* y, unsigned long long* energy) {
    __shared__ unsigned long long whole;
    if (threadIdx.x == 0) whole = 0;
    __syncthreads();
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    const int from = r < n ? start[r] : 0, to = r < n ? start[r + 1] : 0, own = r < n ? x[r] : 0;
    long long sum = 0, beside = 0;
    for (int k = from + lane; k < to; k += 8) {
        const int c = column[k], v = value[k];
        const long long term = (long long)v * x[c];
        sum += term;
        if (c == r) continue;
        beside += term;
        atomicAdd(&y[c], (unsigned long long)((long long)v * own));
    }
    for (int apart = 4; apart > 0; apart /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        beside += __shfl_xor_sync(0xffffffffu, beside, apart);
    }
    if (r < n && lane == 0) {
        if (sum) atomicAdd(&y[r], (unsigned long long)sum);
        atomicAdd(&whole, (unsigned long long)((sum + beside) * own));
    }
    __syncthreads();
    if (threadIdx.x == 0 && whole) atomicAdd(energy, whole);
}

extern "C" void half_stored_product(int n, int, const int32_t* start, const int32_t* column, const int32_t* value, const int32_t* x, int64_t* y, int64_t* energy) {
    cudaMemsetAsync(y, 0, sizeof(int64_t) * n);
    cudaMemsetAsync(energy, 0, sizeof(int64_t));
    multiply<<<(n + 15) / 16, 128>>>(n, start, column, value, x, reinterpret_cast<unsigned long long*>(y), reinterpret_cast<unsigned long long*>(energy));
}
