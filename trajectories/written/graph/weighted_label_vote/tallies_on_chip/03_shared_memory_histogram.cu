// Weighted label vote, one warp per vertex with its tally in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMaxLabels = 128;

__global__ void vote(int vertices, int labels, const int* row_ptr, const int* other, const int* weight,
                     const int* label, int* new_label) {
    __shared__ int tallies[kWarps][kMaxLabels];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int v = blockIdx.x * kWarps + warp;
    if (v >= vertices) return;  // the whole warp leaves together
    const int begin = row_ptr[v], end = row_ptr[v + 1];
    int* votes = tallies[warp];
    for (int l = lane; l < labels; l += 32) votes[l] = 0;
    __syncwarp();
    for (int k = begin + lane; k < end; k += 32) atomicAdd(votes + label[other[k]], weight[k]);
    __syncwarp();
    if (lane != 0) return;
    int winner = begin == end ? label[v] : 0, most = votes[0];
    for (int l = 1; l < labels; ++l) {
        if (votes[l] > most) {
            most = votes[l];
            winner = l;
        }
    }
    new_label[v] = winner;
}

extern "C" void weighted_label_vote(int vertices, int edges, int labels, const int* row_ptr, const int* other,
                                    const int* weight, const int* label, int* new_label) {
    (void)edges;
    vote<<<(vertices - 1) / kWarps + 1, kThreads>>>(vertices, labels, row_ptr, other, weight, label, new_label);
}
