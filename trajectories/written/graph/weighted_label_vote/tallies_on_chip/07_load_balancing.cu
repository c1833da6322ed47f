// Weighted label vote: a warp per vertex, 32 blocks for each vertex with more than 2048 neighbours.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMaxLabels = 128;
constexpr int kLongRow = 2048;
constexpr int kSlices = 32;  // blocks that share a long row

__global__ void narrow(int vertices, const int* label, unsigned char* label8) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) label8[v] = (unsigned char)label[v];
}

using Key = unsigned long long;

// Larger for more votes, and among equal votes for a smaller label.
__device__ Key key_of(int votes, int label) { return (Key)votes << 32 | (0xffffffffu - label); }

__device__ int winner_of(Key best) {
    for (int distance = 16; distance > 0; distance /= 2)
        best = max(best, __shfl_xor_sync(0xffffffffu, best, distance));
    return (int)(0xffffffffu - (unsigned int)best);
}

// long_rows[0] counts the entries that follow it.
__global__ void vote(int vertices, int labels, const int* row_ptr, const int* other, const int* weight,
                     const unsigned char* label, int* long_rows, int* new_label) {
    __shared__ int tallies[kWarps][kMaxLabels];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int v = blockIdx.x * kWarps + warp;
    if (v >= vertices) return;  // the whole warp leaves together
    const int begin = row_ptr[v], end = row_ptr[v + 1];
    if (end - begin > kLongRow) {
        if (lane == 0) long_rows[1 + atomicAdd(long_rows, 1)] = v;
        return;
    }
    Key best = 0;
    if (end - begin <= 32) {
        const int k = begin + lane;
        const int own = k < end ? label[other[k]] : kMaxLabels;  // idle lanes form a group of their own
        const int ballot = k < end ? weight[k] : 0;
        const unsigned int same = __match_any_sync(0xffffffffu, own);
        best = key_of(__reduce_add_sync(same, ballot), own);
    } else {
        int* votes = tallies[warp];
        for (int l = lane; l < labels; l += 32) votes[l] = 0;
        __syncwarp();
        for (int k = begin + lane; k < end; k += 32) atomicAdd(votes + label[other[k]], weight[k]);
        __syncwarp();
        for (int l = lane; l < labels; l += 32) best = max(best, key_of(votes[l], l));
    }
    int winner = winner_of(best);
    if (lane == 0) new_label[v] = begin == end ? label[v] : winner;
}

__global__ void tally_long(int labels, const int* row_ptr, const int* other, const int* weight,
                           const unsigned char* label, const int* long_rows, int* sums) {
    __shared__ int votes[kMaxLabels];
    for (int entry = blockIdx.y; entry < long_rows[0]; entry += gridDim.y) {
        const int v = long_rows[1 + entry], end = row_ptr[v + 1];
        for (int l = threadIdx.x; l < labels; l += kThreads) votes[l] = 0;
        __syncthreads();
        for (int k = row_ptr[v] + blockIdx.x * kThreads + threadIdx.x; k < end; k += kSlices * kThreads)
            atomicAdd(votes + label[other[k]], weight[k]);
        __syncthreads();
        for (int l = threadIdx.x; l < labels; l += kThreads)
            if (votes[l] != 0) atomicAdd(sums + entry * kMaxLabels + l, votes[l]);
        __syncthreads();  // before the next row clears the tally
    }
}

__global__ void decide_long(int labels, const int* long_rows, const int* sums, int* new_label) {
    const int lane = threadIdx.x;
    for (int entry = blockIdx.x; entry < long_rows[0]; entry += gridDim.x) {
        Key best = 0;
        for (int l = lane; l < labels; l += 32) best = max(best, key_of(sums[entry * kMaxLabels + l], l));
        int winner = winner_of(best);
        if (lane == 0) new_label[long_rows[1 + entry]] = winner;
    }
}

extern "C" void weighted_label_vote(int vertices, int edges, int labels, const int* row_ptr, const int* other,
                                    const int* weight, const int* label, int* new_label) {
    const int most_long = edges / kLongRow;  // rows that can be longer than kLongRow
    const size_t words = 1 + (size_t)most_long * (1 + kMaxLabels);
    int* scratch = nullptr;
    unsigned char* label8 = nullptr;
    cudaMalloc(&scratch, words * sizeof(int));
    cudaMalloc(&label8, vertices);
    cudaMemsetAsync(scratch, 0, words * sizeof(int));
    int *long_rows = scratch, *sums = scratch + 1 + most_long;
    narrow<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, label, label8);
    vote<<<(vertices - 1) / kWarps + 1, kThreads>>>(vertices, labels, row_ptr, other, weight, label8, long_rows,
                                                    new_label);
    if (most_long > 0) {
        tally_long<<<dim3(kSlices, 8), kThreads>>>(labels, row_ptr, other, weight, label8, long_rows, sums);
        decide_long<<<8, 32>>>(labels, long_rows, sums, new_label);
    }
    cudaFree(label8);
    cudaFree(scratch);
}
