// LDPC min-sum check update, a tile of eight lanes per check.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLanes = 8;  // per check

__device__ int incoming(const int* posterior, int variable, signed char old_message) {
    return max(-127, min(127, posterior[variable] - old_message));
}

__global__ void update_checks(int checks, const int* row_ptr, const int* edge_var, const int* posterior,
                              const signed char* old_message, signed char* new_message) {
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    int c = (blockIdx.x * kThreads + threadIdx.x) / kLanes, lane = tile.thread_rank();
    if (c >= checks) return;  // the whole tile leaves together
    const int begin = row_ptr[c], end = row_ptr[c + 1];
    int smallest = 127, second = 127, negatives = 0;
    for (int first = begin; first < end; first += kLanes) {
        int k = first + lane;
        int m = k < end ? incoming(posterior, edge_var[k], old_message[k]) : 127;
        negatives += __popc(tile.ballot(m < 0));
        m = abs(m);
        second = min(second, max(smallest, m));
        smallest = min(smallest, m);
    }
    for (int distance = kLanes / 2; distance > 0; distance /= 2) {
        int other = tile.shfl_xor(smallest, distance);
        second = min(tile.shfl_xor(second, distance), min(second, max(smallest, other)));
        smallest = min(smallest, other);
    }
    const bool odd = negatives & 1;
    for (int k = begin + lane; k < end; k += kLanes) {
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
    const int checks_per_block = kThreads / kLanes;
    update_checks<<<(checks - 1) / checks_per_block + 1, kThreads>>>(checks, row_ptr, edge_var, posterior, old_message,
                                                                     new_message);
}
