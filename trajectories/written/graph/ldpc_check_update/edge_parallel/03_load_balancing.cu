// LDPC min-sum check update, one thread per edge; a check's summary is one word, updated by compare-and-swap.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// Bits 0-6 of a summary: second smallest magnitude. Bits 7-13: the smallest. Bit 14: parity of the signs.
constexpr unsigned int kEmpty = 127u | 127u << 7;

__device__ unsigned int merge(unsigned int a, unsigned int b) {
    unsigned int a1 = a >> 7 & 127u, b1 = b >> 7 & 127u;
    unsigned int second = min(min(a & 127u, b & 127u), max(a1, b1));
    return second | min(a1, b1) << 7 | ((a ^ b) & 1u << 14);
}

__device__ int incoming(const int* posterior, int variable, signed char old_message) {
    return max(-127, min(127, posterior[variable] - old_message));
}

// The last check whose first edge is not after `edge`: empty checks before it are skipped.
__device__ int check_of(int checks, const int* row_ptr, int edge) {
    int low = 0, high = checks;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (row_ptr[middle] <= edge)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ void clear(int checks, unsigned int* summary) {
    int c = blockIdx.x * kThreads + threadIdx.x;
    if (c < checks) summary[c] = kEmpty;
}

__global__ void summarise(int checks, int edges, const int* row_ptr, const int* edge_var, const int* posterior,
                          const signed char* old_message, unsigned int* summary) {
    int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= edges) return;
    int m = incoming(posterior, edge_var[k], old_message[k]);
    unsigned int own = 127u | (unsigned int)abs(m) << 7 | (unsigned int)(m < 0) << 14;
    unsigned int* word = summary + check_of(checks, row_ptr, k);
    unsigned int seen = kEmpty, assumed;
    do {
        assumed = seen;
        seen = atomicCAS(word, assumed, merge(assumed, own));
    } while (seen != assumed);
}

__global__ void form_messages(int checks, int edges, const int* row_ptr, const int* edge_var, const int* posterior,
                              const signed char* old_message, const unsigned int* summary, signed char* new_message) {
    int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= edges) return;
    int m = incoming(posterior, edge_var[k], old_message[k]);
    unsigned int row = summary[check_of(checks, row_ptr, k)];
    int smallest = row >> 7 & 127u, second = row & 127u;
    bool negative = (row >> 14 & 1u) ^ (m < 0);
    int magnitude = (abs(m) == smallest ? second : smallest) * 3 / 4;
    new_message[k] = (signed char)(negative ? -magnitude : magnitude);
}

extern "C" void ldpc_check_update(int checks, int variables, int edges, const int* row_ptr, const int* edge_var,
                                  const int* posterior, const signed char* old_message, signed char* new_message) {
    (void)variables;
    const int edge_blocks = (edges - 1) / kThreads + 1;
    unsigned int* summary = nullptr;
    cudaMalloc(&summary, checks * sizeof(unsigned int));
    clear<<<(checks - 1) / kThreads + 1, kThreads>>>(checks, summary);
    summarise<<<edge_blocks, kThreads>>>(checks, edges, row_ptr, edge_var, posterior, old_message, summary);
    form_messages<<<edge_blocks, kThreads>>>(checks, edges, row_ptr, edge_var, posterior, old_message, summary,
                                             new_message);
    cudaFree(summary);
}
