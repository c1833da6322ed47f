// Block mask: the warp that scores a row also counts it, and leaves a bit a key for the list.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kSize = 32, kTile = 16;  // numbers of a row; rows of a block

// Eight lanes have a block of rows, four numbers of a row each.
__global__ void pool(int rows, const int8_t* query, const int8_t* key, int* queries, int* keys) {
    const int b = (blockIdx.x * 128 + threadIdx.x) / 8, lane = threadIdx.x % 8;
    if (b >= rows) return;
    const char4* in = reinterpret_cast<const char4*>((blockIdx.y == 0 ? query : key) + (size_t)b * kTile * kSize) + lane;
    int4 sum = {};
#pragma unroll
    for (int r = 0; r < kTile; ++r) {
        const char4 v = in[r * 8];
        sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w};
    }
    reinterpret_cast<int4*>((blockIdx.y == 0 ? queries : keys) + b * kSize)[lane] = sum;
}

__device__ bool is_kept(int score, long long total, int q, int k) { return (long long)score * (q + 1) > total || k == 0 || k == q; }

template <class T>
__device__ T warp_sum(T value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

constexpr int kWarps = 4;

// A warp scores a row against 32 keys at a time, a key a lane; the block's rows share the keys in shared memory. A kept key is a bit.
__global__ void select(int blocks, const int* __restrict__ queries, const int* __restrict__ keys, int* __restrict__ score,
                       unsigned* __restrict__ bits, int* __restrict__ first) {
    __shared__ int tile[32][kSize + 1], own[kWarps][kSize];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, head = blockIdx.y, q = blockIdx.x * kWarps + warp;
    const int row = head * blocks + q, words = (blocks + 31) / 32, last = min(blockIdx.x * kWarps + kWarps, blocks) - 1;
    if (q < blocks) own[warp][lane] = queries[row * kSize + lane];
    long long total = 0;
    for (int start = 0; start <= last; start += 32) {
        __syncthreads();
        for (int k = warp; k < 32 && start + k <= last; k += kWarps) tile[k][lane] = keys[(head * blocks + start + k) * kSize + lane];
        __syncthreads();
        if (q >= blocks || start + lane > q) continue;
        int sum = 0;
#pragma unroll
        for (int d = 0; d < kSize; ++d) sum += own[warp][d] * tile[lane][d];
        score[(size_t)row * blocks + start + lane] = sum;
        total += sum;
    }
    if (q >= blocks) return;
    total = warp_sum(total);
    int count = 0;
    for (int start = 0; start <= q; start += 32) {
        const int k = start + lane;
        const unsigned all = __ballot_sync(0xffffffffu, k <= q && is_kept(score[(size_t)row * blocks + min(k, q)], total, q, k));
        if (lane == 0) bits[(size_t)row * words + start / 32] = all;
        count += __popc(all);
    }
    if (lane == 0) first[row + 1] = count;
}

// Running totals of the counts by one block, eight rows a thread at a time.
__global__ void accumulate(int rows, int* first) {
    __shared__ int part[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int carry = 0;
    if (threadIdx.x == 0) first[0] = 0;
    for (int start = 1; start <= rows; start += 8 * 1024) {
        const int own = start + 8 * threadIdx.x;
        int count[8], sum = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (own + i <= rows) sum += first[own + i];
            count[i] = sum;
        }
        int up_to = sum;
        for (int apart = 1; apart < 32; apart *= 2) {
            const int before = __shfl_up_sync(0xffffffffu, up_to, apart);
            if (lane >= apart) up_to += before;
        }
        if (lane == 31) part[warp] = up_to;
        __syncthreads();
        int before = carry + up_to - sum;
        for (int w = 0; w < 32; ++w) {
            if (w < warp) before += part[w];
            carry += part[w];
        }
#pragma unroll
        for (int i = 0; i < 8; ++i)
            if (own + i <= rows) first[own + i] = before + count[i];
        __syncthreads();
    }
}

__global__ void fill(int rows, int blocks, const unsigned* bits, const int* first, int* kept) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, q = row % blocks, lane = threadIdx.x % 32, words = (blocks + 31) / 32;
    if (row >= rows) return;
    int at = first[row];
    for (int start = 0; start <= q; start += 32) {
        const unsigned all = bits[(size_t)row * words + start / 32];
        if (all >> lane & 1) kept[at + __popc(all & ((1u << lane) - 1))] = start + lane;
        at += __popc(all);
    }
}

__global__ void clear_rest(int rows, int room, const int* first, int* kept) {
    const int i = first[rows] + blockIdx.x * 256 + threadIdx.x;
    if (i < room) kept[i] = -1;
}

extern "C" void block_mask(int heads, int blocks, const int8_t* query, const int8_t* key, int32_t* first, int32_t* kept) {
    const int rows = heads * blocks, room = (int)((long long)rows * (blocks + 1) / 2);
    int *queries = nullptr, *keys = nullptr, *score = nullptr;
    unsigned* bits = nullptr;
    cudaMallocAsync(&bits, sizeof(unsigned) * rows * ((blocks + 31) / 32), 0);
    cudaMallocAsync(&queries, sizeof(int) * rows * kSize, 0);
    cudaMallocAsync(&keys, sizeof(int) * rows * kSize, 0);
    cudaMallocAsync(&score, sizeof(int) * rows * blocks, 0);
    pool<<<dim3((rows + 15) / 16, 2), 128>>>(rows, query, key, queries, keys);
    select<<<dim3((blocks + kWarps - 1) / kWarps, heads), 32 * kWarps>>>(blocks, queries, keys, score, bits, first);
    accumulate<<<1, 1024>>>(rows, first);
    fill<<<(rows + 3) / 4, 128>>>(rows, blocks, bits, first, kept);
    clear_rest<<<(room + 255) / 256, 256>>>(rows, room, first, kept);
    cudaFreeAsync(queries, 0);
    cudaFreeAsync(keys, 0);
    cudaFreeAsync(score, 0);
    cudaFreeAsync(bits, 0);
}
