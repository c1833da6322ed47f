// Block mask: counts are added up by a block.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kSize = 32, kTile = 16;  // numbers of a row; rows of a block

__global__ void pool(int rows, const int8_t* in, int* sums) {
    const int b = blockIdx.x * 128 + threadIdx.x;
    if (b >= rows) return;
    for (int d = 0; d < kSize; ++d) {
        int sum = 0;
        for (int r = 0; r < kTile; ++r) sum += in[((size_t)b * kTile + r) * kSize + d];
        sums[b * kSize + d] = sum;
    }
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

__global__ void count(int rows, int blocks, const int* score, long long* total, int* first) {
    const int row = blockIdx.x * 128 + threadIdx.x, q = row % blocks;
    if (row >= rows) return;
    long long sum = 0;
    for (int k = 0; k <= q; ++k) sum += score[(size_t)row * blocks + k];
    int kept = 0;
    for (int k = 0; k <= q; ++k) kept += is_kept(score[(size_t)row * blocks + k], sum, q, k);
    total[row] = sum;
    first[row + 1] = kept;
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
    const int row = blockIdx.x * 128 + threadIdx.x, q = row % blocks;
    if (row >= rows) return;
    int at = first[row];
    for (int k = 0; k <= q; ++k)
        if (is_kept(score[(size_t)row * blocks + k], total[row], q, k)) kept[at++] = k;
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
    pool<<<(rows + 127) / 128, 128>>>(rows, query, queries);
    pool<<<(rows + 127) / 128, 128>>>(rows, key, keys);
    score_all<<<rows, 64>>>(rows, blocks, queries, keys, score);
    count<<<(rows + 127) / 128, 128>>>(rows, blocks, score, total, first);
    accumulate<<<1, 1024>>>(rows, first);
    fill<<<(rows + 127) / 128, 128>>>(rows, blocks, score, total, first, kept);
    clear_rest<<<(room + 255) / 256, 256>>>(rows, room, first, kept);
    cudaFreeAsync(queries, 0);
    cudaFreeAsync(keys, 0);
    cudaFreeAsync(score, 0);
    cudaFreeAsync(total, 0);
}
