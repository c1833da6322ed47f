// Gaps: the block that knows what lies before its words writes its rows at once, and counts of words never leave shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int word_of(int rows, int words, const uint32_t* valid, int w) {
    if (w >= words) return 0;
    return w == words - 1 && rows % 32 ? valid[w] & ((1u << rows % 32) - 1) : valid[w];
}

// the sum up to each of 256 threads
__device__ int scan(int own, int* whole) {
    __shared__ int warp_sum[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, own, apart);
        if (lane >= apart) own += left;
    }
    if (lane == 31) warp_sum[warp] = own;
    __syncthreads();
    int all = 0;
    for (int w = 0; w < 8; ++w) {
        if (w < warp) own += warp_sum[w];
        all += warp_sum[w];
    }
    __syncthreads();
    *whole = all;
    return own;
}

constexpr int kWords = 256;

__global__ void count(int rows, int words, const uint32_t* valid, int* part) {
    int whole;
    scan(__popc(word_of(rows, words, valid, blockIdx.x * kWords + threadIdx.x)), &whole);
    if (threadIdx.x == 0) part[blockIdx.x] = whole;
}

__global__ void join(int parts, int* part, int* used) {
    int base = 0, whole;
    for (int from = 0; from < parts; from += 256) {
        const int p = from + threadIdx.x, own = p < parts ? part[p] : 0, sum = scan(own, &whole);
        if (p < parts) part[p] = base + sum - own;
        base += whole;
    }
    if (threadIdx.x == 0) *used = base;
}

__global__ void write(int rows, int words, int stored, int none, const uint32_t* __restrict__ valid, const int* __restrict__ part, const int* __restrict__ dense,
                      int* __restrict__ out, int* __restrict__ carried) {
    __shared__ int before[kWords];
    __shared__ uint32_t word[kWords];
    int whole;
    const uint32_t mine = word_of(rows, words, valid, blockIdx.x * kWords + threadIdx.x);
    const int own = __popc(mine), sum = scan(own, &whole);
    before[threadIdx.x] = part[blockIdx.x] + sum - own;
    word[threadIdx.x] = mine;
    __syncthreads();
    for (int k = threadIdx.x; k < kWords * 32; k += 256) {
        const int r = blockIdx.x * kWords * 32 + k;
        if (r >= rows) break;
        const uint32_t bits = word[k / 32];
        const int place = before[k / 32] + __popc(bits & (0xffffffffu >> (31 - k % 32))) - 1, last = min(place, stored - 1);
        const int value = last >= 0 ? dense[last] : none;
        out[r] = (bits >> k % 32 & 1) && place < stored ? value : none;
        carried[r] = value;
    }
}

extern "C" void validity_expand(int rows, int stored, int32_t none, const uint32_t* valid, const int32_t* dense, int32_t* out, int32_t* carried, int32_t* used) {
    const int words = (rows + 31) / 32, parts = (words + kWords - 1) / kWords;
    int* part = nullptr;
    cudaMallocAsync(&part, sizeof(int) * parts, 0);
    count<<<parts, 256>>>(rows, words, valid, part);
    join<<<1, 256>>>(parts, part, used);
    write<<<parts, 256>>>(rows, words, stored, none, valid, part, dense, out, carried);
    cudaFreeAsync(part, 0);
}
