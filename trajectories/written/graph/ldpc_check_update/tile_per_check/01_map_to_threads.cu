// LDPC min-sum check update, one thread per check.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ int incoming(const int* posterior, int variable, signed char old_message) {
    return max(-127, min(127, posterior[variable] - old_message));
}

__global__ void update_checks(int checks, const int* row_ptr, const int* edge_var, const int* posterior,
                              const signed char* old_message, signed char* new_message) {
    int c = blockIdx.x * kThreads + threadIdx.x;
    if (c >= checks) return;
    int smallest = 127, second = 127, where = -1;
    bool odd = false;
    for (int k = row_ptr[c]; k < row_ptr[c + 1]; ++k) {
        int m = incoming(posterior, edge_var[k], old_message[k]);
        odd ^= m < 0;
        m = abs(m);
        if (m < smallest) {
            second = smallest;
            smallest = m;
            where = k;
        } else if (m < second) {
            second = m;
        }
    }
    for (int k = row_ptr[c]; k < row_ptr[c + 1]; ++k) {
        bool negative = odd ^ (incoming(posterior, edge_var[k], old_message[k]) < 0);
        int magnitude = (k == where ? second : smallest) * 3 / 4;
        new_message[k] = (signed char)(negative ? -magnitude : magnitude);
    }
}

extern "C" void ldpc_check_update(int checks, int variables, int edges, const int* row_ptr, const int* edge_var,
                                  const int* posterior, const signed char* old_message, signed char* new_message) {
    (void)variables;
    (void)edges;
    update_checks<<<(checks - 1) / kThreads + 1, kThreads>>>(checks, row_ptr, edge_var, posterior, old_message,
                                                             new_message);
}
