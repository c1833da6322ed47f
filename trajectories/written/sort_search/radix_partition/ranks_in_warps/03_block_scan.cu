// Radix partition: a warp counts and scatters each chunk of records, equal partitions of 32 records together.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;
constexpr int kChunk = 1024;      // records of a warp
constexpr unsigned kAll = 0xffffffffu;
constexpr int kPartitions = 256;
constexpr int kScan = 256;        // threads of a scanning block, one for each partition

__device__ unsigned partition_of(unsigned key) { return key * 2654435761u >> 24; }

// Counts one record for each lane in next[partition], lanes in order; the value before this lane's record. Lanes
// without a record pass no keys. All lanes call it together.
__device__ int take_places(int* next, const unsigned* key, int i) {
    int p = key ? (int)partition_of(key[i]) : -1, lane = threadIdx.x % 32;
    unsigned same = __match_any_sync(kAll, p);
    int rank = __popc(same & ((1u << lane) - 1));
    int place = p >= 0 ? next[p] + rank : 0;
    __syncwarp();
    if (p >= 0 && rank == 0) next[p] += __popc(same);
    __syncwarp();
    return place;
}

// table[p * chunks + c]: how many records of chunk c belong to partition p.
__global__ void count(int n, int chunks, const unsigned* key, int* table) {
    __shared__ int counters[kWarps][kPartitions];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, c = blockIdx.x * kWarps + warp;
    if (c >= chunks) return;  // whole warps leave
    int* own = counters[warp];
    for (int p = lane; p < kPartitions; p += 32) own[p] = 0;
    __syncwarp();
    int begin = c * kChunk, end = min(begin + kChunk, n);
    for (int first = begin; first < end; first += 32)
        take_places(own, first + lane < end ? key : nullptr, first + lane);
    for (int p = lane; p < kPartitions; p += 32) table[(size_t)p * chunks + c] = own[p];
}

// The sum of the values of all lower threads of a block of kScan, and of all of them. Ends with a barrier.
__device__ int exclusive_scan(int value, int& total) {
    __shared__ int of_warp[kScan / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(kAll, sum, d);
        if (lane >= d) sum += other;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    int before = 0;
    total = 0;
    for (int w = 0; w < kScan / 32; ++w) {
        before += w < warp ? of_warp[w] : 0;
        total += of_warp[w];
    }
    __syncthreads();
    return before + sum - value;
}

// Replaces each count by the records of the same partition in earlier chunks; starts[p] = all of partition p.
__global__ void sum_chunks(int chunks, int* table, int* starts) {
    int* row = table + (size_t)blockIdx.x * chunks;
    int before = 0;
    for (int first = 0; first < chunks; first += kScan) {
        int c = first + threadIdx.x, total;
        int sum = exclusive_scan(c < chunks ? row[c] : 0, total);
        if (c < chunks) row[c] = before + sum;
        before += total;
    }
    if (threadIdx.x == 0) starts[blockIdx.x] = before;
}

__global__ void sum_partitions(int* starts) {
    int total, sum = exclusive_scan(starts[threadIdx.x], total);
    starts[threadIdx.x] = sum;
    if (threadIdx.x == 0) starts[kPartitions] = total;
}

__global__ void scatter(int n, int chunks, const unsigned* key, const int* payload, const int* starts, const int* table,
                        unsigned* key_out, int* payload_out) {
    __shared__ int next[kWarps][kPartitions];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, c = blockIdx.x * kWarps + warp;
    if (c >= chunks) return;  // whole warps leave
    for (int p = lane; p < kPartitions; p += 32) next[warp][p] = starts[p] + table[(size_t)p * chunks + c];
    __syncwarp();
    int begin = c * kChunk, end = min(begin + kChunk, n);
    for (int first = begin; first < end; first += 32) {
        int i = first + lane;
        int place = take_places(next[warp], i < end ? key : nullptr, i);
        if (i >= end) continue;
        key_out[place] = key[i];
        payload_out[place] = payload[i];
    }
}

extern "C" void radix_partition(int n, const unsigned* key, const int* payload, unsigned* key_out, int* payload_out,
                                int* starts) {
    int chunks = (n - 1) / kChunk + 1, blocks = (chunks - 1) / kWarps + 1;
    int* table = nullptr;
    cudaMalloc(&table, (size_t)kPartitions * chunks * sizeof(int));
    count<<<blocks, kThreads>>>(n, chunks, key, table);
    sum_chunks<<<kPartitions, kScan>>>(chunks, table, starts);
    sum_partitions<<<1, kScan>>>(starts);
    scatter<<<blocks, kThreads>>>(n, chunks, key, payload, starts, table, key_out, payload_out);
    cudaFree(table);
}
