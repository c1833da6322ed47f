// Gaps: one block counts the rows before each word, one row a thread looks its value up.
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

__global__ void count(int rows, int words, const uint32_t* valid, int* before, int* used) {
    int base = 0, whole;
    for (int from = 0; from < words; from += 256) {
        const int w = from + threadIdx.x, own = __popc(word_of(rows, words, valid, w)), sum = scan(own, &whole);
        if (w < words) before[w] = base + sum - own;
        base += whole;
    }
    if (threadIdx.x == 0) *used = base;
}

__global__ void write(int rows, int stored, int none, const uint32_t* __restrict__ valid, const int* __restrict__ before, const int* __restrict__ dense,
                      int* __restrict__ out, int* __restrict__ carried) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const uint32_t word = valid[r / 32], upto = word & (0xffffffffu >> (31 - r % 32));
    const int place = before[r / 32] + __popc(upto) - 1, last = min(place, stored - 1);
    const int value = last >= 0 ? dense[last] : none;
    out[r] = (word >> r % 32 & 1) && place < stored ? value : none;
    carried[r] = value;
}

extern "C" void validity_expand(int rows, int stored, int32_t none, const uint32_t* valid, const int32_t* dense, int32_t* out, int32_t* carried, int32_t* used) {
    const int words = (rows + 31) / 32;
    int* before = nullptr;
    cudaMallocAsync(&before, sizeof(int) * words, 0);
    count<<<1, 256>>>(rows, words, valid, before, used);
    write<<<(rows + 255) / 256, 256>>>(rows, stored, none, valid, before, dense, out, carried);
    cudaFreeAsync(before, 0);
}
