// Block mask: one kernel a loop; one block of rows, one score or one row of scores a thread; one thread adds up the counts.
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

__global__ void accumulate(int rows, int* first) {
    first[0] = 0;
    for (int row = 0; row < rows; ++row) first[row + 1] += first[row];
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
    accumulate<<<1, 1>>>(rows, first);
    fill<<<(rows + 127) / 128, 128>>>(rows, blocks, score, total, first, kept);
    clear_rest<<<(room + 255) / 256, 256>>>(rows, room, first, kept);
    cudaFreeAsync(queries, 0);
    cudaFreeAsync(keys, 0);
    cudaFreeAsync(score, 0);
    cudaFreeAsync(total, 0);
}
