// Nearest fingerprint: a molecule in each thread's registers; a warp skips queries that none of its molecules can win, from bit
// counts alone.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWords = 32;
constexpr int kThreads = 128;
constexpr int kQueries = 64;  // staged at a time

using Key = unsigned long long;

// A larger ratio wins, then the lower index. Ratios of whole numbers up to 1024 differ by 2^-20 or more unless they are equal,
// and division rounds monotonically, so the order of the floats is that of the fractions.
__device__ Key key_of(int both, int any, int m) {
    float ratio = any > 0 ? __fdiv_rn((float)both, (float)any) : 0.0f;
    return (Key)__float_as_uint(ratio) << 32 | (unsigned)~m;
}

__global__ void search(int queries, int molecules, const uint32_t* query, const uint32_t* library, Key* keys) {
    __shared__ uint32_t staged[kQueries][kWords];
    __shared__ Key found[kQueries];  // the block's best for each query
    __shared__ int set[kQueries];  // bits of each query
    int m = blockIdx.x * kThreads + threadIdx.x;
    uint32_t mine[kWords];
    int bits = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
        mine[w] = m < molecules ? library[(size_t)m * kWords + w] : 0u;
        bits += __popc(mine[w]);
    }
    for (int q0 = 0; q0 < queries; q0 += kQueries) {
        int count = min(kQueries, queries - q0);
        __syncthreads();
        for (int e = threadIdx.x; e < count * kWords; e += kThreads) staged[e / kWords][e % kWords] = query[q0 * kWords + e];
        __syncthreads();
        for (int q = threadIdx.x; q < count; q += kThreads) {
            int sum = 0;
            for (int w = 0; w < kWords; ++w) sum += __popc(staged[q][(w + q) % kWords]);  // each lane in a bank of its own
            set[q] = sum, found[q] = atomicMax(keys + q0 + q, 0ull);  // what earlier blocks have found
        }
        __syncthreads();
        for (int q = 0; q < count; ++q) {
            // At most min(a, b) bits are common, and at least max(a, b) are set in either.
            int fewer = min(bits, set[q]), more = max(bits, set[q]);
            float limit = m < molecules && more > 0 ? __fdiv_rn((float)fewer, (float)more) : -1.0f;
            float held = __uint_as_float((unsigned)(*(volatile Key*)&found[q] >> 32));  // an old value only skips less
            if (!__any_sync(0xffffffffu, limit >= held)) continue;
            int both = 0;
#pragma unroll
            for (int w = 0; w < kWords; ++w) both += __popc(staged[q][w] & mine[w]);
            Key key = m < molecules ? key_of(both, bits + set[q] - both, m) : 0;
            unsigned top = __reduce_max_sync(0xffffffffu, (unsigned)(key >> 32));
            unsigned ties = __ballot_sync(0xffffffffu, (unsigned)(key >> 32) == top && m < molecules);
            if (ties != 0 && threadIdx.x % 32 == __ffs(ties) - 1) atomicMax(&found[q], key);  // the lowest lane has the lowest index
        }
        __syncthreads();
        for (int q = threadIdx.x; q < count; q += kThreads) atomicMax(keys + q0 + q, found[q]);
    }
}

__global__ void report(int queries, const uint32_t* query, const uint32_t* library, const Key* keys, int* nearest, int* common) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    int m = (int)~(unsigned)keys[q], both = 0;
    for (int w = 0; w < kWords; ++w) both += __popc(query[q * kWords + w] & library[(size_t)m * kWords + w]);
    nearest[q] = m, common[q] = both;
}

extern "C" void fingerprint_nearest(int queries, int molecules, const uint32_t* query, const uint32_t* library, int* nearest, int* common) {
    Key* keys = nullptr;
    cudaMalloc(&keys, queries * sizeof(Key));
    cudaMemsetAsync(keys, 0, queries * sizeof(Key));
    search<<<(molecules + kThreads - 1) / kThreads, kThreads>>>(queries, molecules, query, library, keys);
    report<<<(queries + 63) / 64, 64>>>(queries, query, library, keys, nearest, common);
    cudaFree(keys);
}
