// Block mask: four numbers are read at a time, and queries and keys are pooled by one launch.
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

__global__ void score_all(int rows, int blocks, const int* queries, const int* keys, int* score) {
    const int row = blockIdx.x, head = row / blocks, q = row % blocks;
    for (int k = threadIdx.x; k <= q; k += blockDim.x) {
        int sum = 0;
        for (int d = 0; d < kSize; ++d) sum += queries[row * kSize + d] * keys[(head * blocks + k) * kSize + d];
        score[(size_t)row * blocks + k] = sum;
    }
}

__device__ bool is_kept(int score, long long total, int q, int k) { return (long long)score * (q + 1) > total || k == 0 || k == q; }

template <class T>
__device__ T warp_sum(T value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void count(int rows, int blocks, const int* score, long long* total, int* first) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, q = row % blocks, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const int* own = score + (size_t)row * blocks;
    long long sum = 0;
    for (int k = lane; k <= q; k += 32) sum += own[k];
    sum = warp_sum(sum);
    int kept = 0;
    for (int k = lane; k <= q; k += 32) kept += is_kept(own[k], sum, q, k);
    kept = warp_sum(kept);
    if (lane == 0) {
        total[row] = sum;
        first[row + 1] = kept;
    }
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

__global__ void fill(int rows, int blocks, const int* score, const long long* total, const int* first, int* kept) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, q = row % blocks, lane = threadIdx.x % 32;
    if (row >= rows) return;
    int at = first[row];
    for (int start = 0; start <= q; start += 32) {
        const int k = start + lane;
        const bool is_here = k <= q && is_kept(score[(size_t)row * blocks + k], total[row], q, k);
        const unsigned all = __ballot_sync(0xffffffffu, is_here);
        if (is_here) kept[at + __popc(all & ((1u << lane) - 1))] = k;
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
    long long* total = nullptr;
    cudaMallocAsync(&queries, sizeof(int) * rows * kSize, 0);
    cudaMallocAsync(&keys, sizeof(int) * rows * kSize, 0);
    cudaMallocAsync(&score, sizeof(int) * rows * blocks, 0);
    cudaMallocAsync(&total, sizeof(long long) * rows, 0);
    pool<<<dim3((rows + 15) / 16, 2), 128>>>(rows, query, key, queries, keys);
    score_all<<<rows, 64>>>(rows, blocks, queries, keys, score);
    count<<<(rows + 3) / 4, 128>>>(rows, blocks, score, total, first);
    accumulate<<<1, 1024>>>(rows, first);
    fill<<<(rows + 3) / 4, 128>>>(rows, blocks, score, total, first, kept);
    clear_rest<<<(room + 255) / 256, 256>>>(rows, room, first, kept);
    cudaFreeAsync(queries, 0);
    cudaFreeAsync(keys, 0);
    cudaFreeAsync(score, 0);
    cudaFreeAsync(total, 0);
}
