// LDPC min-sum check update; a tile of eight lanes per check, a block for each check with more than 1024 edges.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLanes = 8;         // per check of ordinary length
constexpr int kRounds = 2;        // of kLanes edges, kept in registers
constexpr int kLongEdges = 1024;  // above this a check gets a block
constexpr int kLongBlocks = 264;
constexpr int kWarps = kThreads / 32;

struct Summary {
    int smallest, second;
};

__device__ Summary merge(Summary a, Summary b) {
    return {min(a.smallest, b.smallest), min(min(a.second, b.second), max(a.smallest, b.smallest))};
}

__device__ int incoming(const int* posterior, int variable, signed char old_message) {
    return max(-127, min(127, posterior[variable] - old_message));
}

__device__ signed char outgoing(int m, Summary row, bool odd) {
    bool negative = odd ^ (m < 0);
    int magnitude = (abs(m) == row.smallest ? row.second : row.smallest) * 3 / 4;
    return (signed char)(negative ? -magnitude : magnitude);
}

// long_checks[0] counts the entries that follow it.
__global__ void update_checks(int checks, const int* row_ptr, const int* edge_var, const int* posterior,
                              const signed char* old_message, signed char* new_message, int* long_checks) {
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    int c = (blockIdx.x * kThreads + threadIdx.x) / kLanes, lane = tile.thread_rank();
    if (c >= checks) return;  // the whole tile leaves together
    const int begin = row_ptr[c], end = row_ptr[c + 1];
    if (end - begin > kLongEdges) {
        if (lane == 0) long_checks[1 + atomicAdd(long_checks, 1)] = c;
        return;
    }
    Summary row = {127, 127};
    int negatives = 0, kept[kRounds];
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        int k = begin + round * kLanes + lane;
        int m = k < end ? incoming(posterior, edge_var[k], old_message[k]) : 127;
        kept[round] = m;
        negatives += __popc(tile.ballot(m < 0));
        row = merge(row, {abs(m), 127});
    }
    for (int first = begin + kRounds * kLanes; first < end; first += kLanes) {
        int k = first + lane;
        int m = k < end ? incoming(posterior, edge_var[k], old_message[k]) : 127;
        negatives += __popc(tile.ballot(m < 0));
        row = merge(row, {abs(m), 127});
    }
    for (int distance = kLanes / 2; distance > 0; distance /= 2)
        row = merge(row, {tile.shfl_xor(row.smallest, distance), tile.shfl_xor(row.second, distance)});
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        int k = begin + round * kLanes + lane;
        if (k < end) new_message[k] = outgoing(kept[round], row, negatives & 1);
    }
    for (int k = begin + kRounds * kLanes + lane; k < end; k += kLanes)
        new_message[k] = outgoing(incoming(posterior, edge_var[k], old_message[k]), row, negatives & 1);
}

__global__ void update_long_checks(const int* long_checks, const int* row_ptr, const int* edge_var,
                                   const int* posterior, const signed char* old_message, signed char* new_message) {
    __shared__ Summary warp_row[kWarps];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    for (int entry = blockIdx.x; entry < long_checks[0]; entry += gridDim.x) {
        const int c = long_checks[1 + entry];
        const int begin = row_ptr[c], end = row_ptr[c + 1];
        Summary row = {127, 127};
        int negatives = 0;
        for (int k = begin + threadIdx.x; k < end; k += kThreads) {
            int m = incoming(posterior, edge_var[k], old_message[k]);
            negatives += m < 0;
            row = merge(row, {abs(m), 127});
        }
        const bool odd = __syncthreads_count(negatives & 1) & 1;  // also: warp_row is free again
        for (int distance = 16; distance > 0; distance /= 2)
            row = merge(row, {warp.shfl_xor(row.smallest, distance), warp.shfl_xor(row.second, distance)});
        if (warp.thread_rank() == 0) warp_row[threadIdx.x / 32] = row;
        __syncthreads();
        row = warp_row[0];
        for (int w = 1; w < kWarps; ++w) row = merge(row, warp_row[w]);
        for (int k = begin + threadIdx.x; k < end; k += kThreads)
            new_message[k] = outgoing(incoming(posterior, edge_var[k], old_message[k]), row, odd);
    }
}

extern "C" void ldpc_check_update(int checks, int variables, int edges, const int* row_ptr, const int* edge_var,
                                  const int* posterior, const signed char* old_message, signed char* new_message) {
    (void)variables;
    int* long_checks = nullptr;
    cudaMalloc(&long_checks, (1 + edges / kLongEdges) * sizeof(int));
    cudaMemsetAsync(long_checks, 0, sizeof(int));
    const int checks_per_block = kThreads / kLanes;
    update_checks<<<(checks - 1) / checks_per_block + 1, kThreads>>>(checks, row_ptr, edge_var, posterior, old_message,
                                                                     new_message, long_checks);
    update_long_checks<<<kLongBlocks, kThreads>>>(long_checks, row_ptr, edge_var, posterior, old_message, new_message);
    cudaFree(long_checks);
}
