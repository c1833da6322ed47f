// LDPC min-sum check update, a tile of eight lanes per check; the first sixteen messages stay in registers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLanes = 8;   // per check
constexpr int kRounds = 2;  // of kLanes edges, kept in registers

__device__ int incoming(const int* posterior, int variable, signed char old_message) {
    return max(-127, min(127, posterior[variable] - old_message));
}

__device__ signed char outgoing(int m, int smallest, int second, bool odd) {
    int magnitude = (abs(m) == smallest ? second : smallest) * 3 / 4;
    return (signed char)(odd ^ (m < 0) ? -magnitude : magnitude);
}

__global__ void update_checks(int checks, const int* row_ptr, const int* edge_var, const int* posterior,
                              const signed char* old_message, signed char* new_message) {
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    int c = (blockIdx.x * kThreads + threadIdx.x) / kLanes, lane = tile.thread_rank();
    if (c >= checks) return;  // the whole tile leaves together
    const int begin = row_ptr[c], end = row_ptr[c + 1];
    int smallest = 127, second = 127, negatives = 0, kept[kRounds];
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        int k = begin + round * kLanes + lane;
        int m = k < end ? incoming(posterior, edge_var[k], old_message[k]) : 127;
        kept[round] = m;
        negatives += __popc(tile.ballot(m < 0));
        second = min(second, max(smallest, abs(m)));
        smallest = min(smallest, abs(m));
    }
    for (int first = begin + kRounds * kLanes; first < end; first += kLanes) {
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
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        int k = begin + round * kLanes + lane;
        if (k < end) new_message[k] = outgoing(kept[round], smallest, second, odd);
    }
    for (int k = begin + kRounds * kLanes + lane; k < end; k += kLanes)
        new_message[k] = outgoing(incoming(posterior, edge_var[k], old_message[k]), smallest, second, odd);
}

extern "C" void ldpc_check_update(int checks, int variables, int edges, const int* row_ptr, const int* edge_var,
                                  const int* posterior, const signed char* old_message, signed char* new_message) {
    (void)variables;
    (void)edges;
    const int checks_per_block = kThreads / kLanes;
    update_checks<<<(checks - 1) / checks_per_block + 1, kThreads>>>(checks, row_ptr, edge_var, posterior, old_message,
                                                                     new_message);
}
