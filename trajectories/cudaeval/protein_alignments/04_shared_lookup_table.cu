// Protein alignments: the gains lie in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kOpen = 11, kExtend = 1, kLow = -1000000;

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 4;

// One warp a pair: lane l is l rows behind lane 0. `edge` has h and e at the right end of the columns before.
__global__ void align(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target, const int8_t* gain,
                      int2* edge, int32_t* best) {
    __shared__ int8_t near[400];  // gains
    for (int g = threadIdx.x; g < 400; g += 32 * kWarps) near[g] = gain[g];
    __syncthreads();
    const int p = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (p >= pairs) return;
    query += (long long)p * query_length;
    target += (long long)p * target_length;
    edge += (long long)p * target_length;
    int most = 0;
    for (int first = 0; first < query_length; first += 32) {
        const int j = first + lane, residue = j < query_length ? query[j] : 0;
        int h = 0, f = kLow, e = kLow, corner = 0;
        for (int turn = 0; turn < target_length + 31; ++turn) {
            const int i = turn - lane;
            int left = __shfl_up_sync(kAll, h, 1);
            e = __shfl_up_sync(kAll, e, 1);
            const bool inside = i >= 0 && i < target_length;
            if (lane == 0) {
                const int2 before = first > 0 && inside ? edge[i] : make_int2(0, kLow);
                left = before.x;
                e = before.y;
            }
            if (!inside) continue;
            e = max(e - kExtend, left - kOpen);
            f = max(f - kExtend, h - kOpen);
            h = max(max(0, corner + near[20 * target[i] + residue]), max(e, f));
            corner = left;
            if (j < query_length) most = max(most, h);
            if (lane == 31) edge[i] = make_int2(h, e);
        }
        __syncwarp();
    }
    most = __reduce_max_sync(kAll, most);
    if (lane == 0) best[p] = most;
}

extern "C" void protein_alignments(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target,
                                   const int8_t* gain, int32_t* best) {
    int2* edge = nullptr;
    cudaMalloc(&edge, sizeof(int2) * pairs * target_length);
    align<<<(pairs - 1) / kWarps + 1, 32 * kWarps>>>(pairs, query_length, target_length, query, target, gain, edge, best);
    cudaFree(edge);
}
