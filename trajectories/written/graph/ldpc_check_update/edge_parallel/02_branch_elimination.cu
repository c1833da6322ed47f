// LDPC min-sum check update, one thread per check; the two smallest magnitudes come from min and max alone.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ int incoming(const int* posterior, int variable, signed char old_message) {
    return max(-127, min(127, posterior[variable] - old_message));
}

__global__ void update_checks(int checks, const int* row_ptr, const int* edge_var, const int* posterior,
                              const signed char* old_message, signed char* new_message) {
    int c = blockIdx.x * kThreads + threadIdx.x;
    if (c >= checks) return;
    int smallest = 127, second = 127;
    bool odd = false;
    for (int k = row_ptr[c]; k < row_ptr[c + 1]; ++k) {
        int m = incoming(posterior, edge_var[k], old_message[k]);
        odd ^= m < 0;
        m = abs(m);
        second = min(second, max(smallest, m));
        smallest = min(smallest, m);
    }
    for (int k = row_ptr[c]; k < row_ptr[c + 1]; ++k) {
        int m = incoming(posterior, edge_var[k], old_message[k]);
        bool negative = odd ^ (m < 0);
        int magnitude = (abs(m) == smallest ? second : smallest) * 3 / 4;
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
