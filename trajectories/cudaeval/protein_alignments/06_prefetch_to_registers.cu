// Protein alignments: residues of the target are loaded 32 at a time and handed from lane to lane.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kOpen = 11, kExtend = 1, kLow = -1000000;

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 4, kOwn = 2;

// One of a lane's columns.
struct Column {
    int residue, h = 0, f = kLow;

    // Goes on by a row. `corner` and `left` are h in the column before, in the row before and in this one, `e` is that column's;
    // they become this column's.
    __device__ void advance(int& corner, int& left, int& e, const int8_t* worth) {
        e = max(e - kExtend, left - kOpen);
        f = max(f - kExtend, h - kOpen);
        left = max(max(0, corner + worth[residue]), max(e, f));
        corner = h;
        h = left;
    }
};

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
    for (int first = 0; first < query_length; first += 32 * kOwn) {
        const int j = first + kOwn * lane, own = query_length - j;  // columns that are inside
        Column one{own > 0 ? query[j] : 0}, two{own > 1 ? query[j + 1] : 0};
        int e = kLow, corner = 0, held = 0, row = 0;  // a residue of the target for later, and this row's
        for (int turn = 0; turn < target_length + 31; ++turn) {
            const int i = turn - lane;
            if (turn % 32 == 0) held = turn + lane < target_length ? target[turn + lane] : 0;
            const int came = __shfl_sync(kAll, held, turn % 32), passed = __shfl_up_sync(kAll, row, 1);
            row = lane == 0 ? came : passed;
            int left = __shfl_up_sync(kAll, two.h, 1);
            e = __shfl_up_sync(kAll, e, 1);
            const bool inside = i >= 0 && i < target_length;
            if (lane == 0) {
                const int2 before = first > 0 && inside ? edge[i] : make_int2(0, kLow);
                left = before.x;
                e = before.y;
            }
            if (!inside) continue;
            const int8_t* worth = near + 20 * row;
            const int next = left;
            one.advance(corner, left, e, worth);
            two.advance(corner, left, e, worth);
            corner = next;
            if (own > 0) most = max(most, one.h);
            if (own > 1) most = max(most, two.h);
            if (lane == 31) edge[i] = make_int2(two.h, e);
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
