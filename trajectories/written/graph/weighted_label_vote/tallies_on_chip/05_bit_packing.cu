// Weighted label vote, one warp per vertex; labels are read from a copy in bytes.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMaxLabels = 128;

__global__ void narrow(int vertices, const int* label, unsigned char* label8) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) label8[v] = (unsigned char)label[v];
}

using Key = unsigned long long;

// Larger for more votes, and among equal votes for a smaller label.
__device__ Key key_of(int votes, int label) { return (Key)votes << 32 | (0xffffffffu - label); }

__global__ void vote(int vertices, int labels, const int* row_ptr, const int* other, const int* weight,
                     const unsigned char* label, int* new_label) {
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
    Key best = 0;
    for (int l = lane; l < labels; l += 32) best = max(best, key_of(votes[l], l));
    for (int distance = 16; distance > 0; distance /= 2)
        best = max(best, __shfl_xor_sync(0xffffffffu, best, distance));
    if (lane == 0) new_label[v] = begin == end ? label[v] : (int)(0xffffffffu - (unsigned int)best);
}

extern "C" void weighted_label_vote(int vertices, int edges, int labels, const int* row_ptr, const int* other,
                                    const int* weight, const int* label, int* new_label) {
    (void)edges;
    unsigned char* label8 = nullptr;
    cudaMalloc(&label8, vertices);
    narrow<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, label, label8);
    vote<<<(vertices - 1) / kWarps + 1, kThreads>>>(vertices, labels, row_ptr, other, weight, label8, new_label);
    cudaFree(label8);
}
