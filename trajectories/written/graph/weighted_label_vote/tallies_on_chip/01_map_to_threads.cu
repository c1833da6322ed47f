// Weighted label vote, one thread per vertex with a tally in scratch memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void vote(int vertices, int labels, const int* row_ptr, const int* other, const int* weight,
                     const int* label, int* scratch, int* new_label) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    const int begin = row_ptr[v], end = row_ptr[v + 1];
    int* votes = scratch + (size_t)v * labels;
    for (int l = 0; l < labels; ++l) votes[l] = 0;
    for (int k = begin; k < end; ++k) votes[label[other[k]]] += weight[k];
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
    int* scratch = nullptr;
    cudaMalloc(&scratch, (size_t)vertices * labels * sizeof(int));
    vote<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, labels, row_ptr, other, weight, label, scratch,
                                                      new_label);
    cudaFree(scratch);
}
