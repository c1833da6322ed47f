// Runs: one block finds where the runs end, then one run a thread writes its copies.
#include <cuda_runtime.h>

#include <cstdint>

// the sum of a block's values up to each thread; whole gets the sum of all 256
__device__ long long scan(long long own, long long* whole) {
    __shared__ long long warp_sum[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long sum = own;
    for (int apart = 1; apart < 32; apart *= 2) {
        const long long before = __shfl_up_sync(0xffffffffu, sum, apart);
        if (lane >= apart) sum += before;
    }
    if (lane == 31) warp_sum[warp] = sum;
    __syncthreads();
    long long all = 0;
    for (int w = 0; w < 8; ++w) {
        if (w < warp) sum += warp_sum[w];
        all += warp_sum[w];
    }
    __syncthreads();
    *whole = all;
    return sum;
}

__global__ void add_up(int runs, const int32_t* length, long long* end, int64_t* total) {
    long long before = 0, whole;
    for (int from = 0; from < runs; from += 256) {
        const int r = from + threadIdx.x;
        const long long sum = scan(r < runs ? length[r] : 0, &whole);
        if (r < runs) end[r] = before + sum;
        before += whole;
    }
    if (threadIdx.x == 0) *total = before;
}

__global__ void clear(int capacity, int32_t fill, const int64_t* total, int32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < capacity && i >= *total) out[i] = fill;
}

__global__ void write(int runs, int capacity, const long long* end, const int32_t* value, int32_t* out) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= runs) return;
    for (long long i = r ? end[r - 1] : 0; i < min(end[r], (long long)capacity); ++i) out[i] = value[r];
}

extern "C" void run_expand(int runs, int capacity, int32_t fill, const int32_t* length, const int32_t* value, int32_t* out, int64_t* total) {
    long long* end = nullptr;
    cudaMallocAsync(&end, sizeof(long long) * runs, 0);
    add_up<<<1, 256>>>(runs, length, end, total);
    clear<<<(capacity + 255) / 256, 256>>>(capacity, fill, total, out);
    write<<<(runs + 255) / 256, 256>>>(runs, capacity, end, value, out);
    cudaFreeAsync(end, 0);
}
