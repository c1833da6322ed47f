// Runs: ends are found by all blocks: sums of 2048 runs, a scan over the sums, then each block its own.
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

constexpr int kRuns = 2048;

__global__ void part_sums(int runs, const int32_t* length, long long* part) {
    long long own = 0, whole;
    for (int r = blockIdx.x * kRuns + threadIdx.x, last = min(runs, (int)(blockIdx.x + 1) * kRuns); r < last; r += 256) own += length[r];
    scan(own, &whole);
    if (threadIdx.x == 0) part[blockIdx.x] = whole;
}

__global__ void scan_parts(int parts, long long* part, int64_t* total) {
    long long before = 0, whole;
    for (int from = 0; from < parts; from += 256) {
        const int p = from + threadIdx.x;
        const long long own = p < parts ? part[p] : 0, sum = scan(own, &whole);
        if (p < parts) part[p] = before + sum - own;
        before += whole;
    }
    if (threadIdx.x == 0) *total = before;
}

__global__ void ends(int runs, const int32_t* length, const long long* part, long long* end) {
    long long before = part[blockIdx.x], whole;
    for (int k = 0; k < kRuns / 256; ++k) {
        const int r = blockIdx.x * kRuns + k * 256 + threadIdx.x;
        const long long sum = scan(r < runs ? length[r] : 0, &whole);
        if (r < runs) end[r] = before + sum;
        before += whole;
    }
}

__global__ void fill_in(int runs, int capacity, int32_t fill, const long long* end, const int32_t* value, int32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= capacity) return;
    int low = 0, high = runs;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (end[middle] > i) high = middle;
        else low = middle + 1;
    }
    out[i] = low < runs ? value[low] : fill;
}

extern "C" void run_expand(int runs, int capacity, int32_t fill, const int32_t* length, const int32_t* value, int32_t* out, int64_t* total) {
    const int parts = (runs + kRuns - 1) / kRuns;
    long long* end = nullptr;
    cudaMallocAsync(&end, sizeof(long long) * (runs + parts), 0);
    part_sums<<<parts, 256>>>(runs, length, end + runs);
    scan_parts<<<1, 256>>>(parts, end + runs, total);
    ends<<<parts, 256>>>(runs, length, end + runs, end);
    fill_in<<<(capacity + 255) / 256, 256>>>(runs, capacity, fill, end, value, out);
    cudaFreeAsync(end, 0);
}
