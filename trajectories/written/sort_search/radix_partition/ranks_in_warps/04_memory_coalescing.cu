// Radix partition: a block sorts its chunk by partition in shared memory and writes runs.
#include <cuda_runtime.h>

constexpr int kThreads = 256;     // of a block, one for each partition
constexpr int kWarps = kThreads / 32;
constexpr int kPart = 512;        // records of a warp
constexpr int kChunk = kPart * kWarps;
constexpr int kPartitions = 256;
constexpr unsigned kAll = 0xffffffffu;

__device__ unsigned partition_of(unsigned key) { return key * 2654435761u >> 24; }

// Counts one record for each lane in next[partition], lanes in order; the value before this lane's record. Lanes
// without a record pass partition -1. All lanes call it together.
__device__ int take_places(int* next, int p) {
    int lane = threadIdx.x % 32;
    unsigned same = __match_any_sync(kAll, p);
    int rank = __popc(same & ((1u << lane) - 1));
    int place = p >= 0 ? next[p] + rank : 0;
    __syncwarp();
    if (p >= 0 && rank == 0) next[p] += __popc(same);
    __syncwarp();
    return place;
}

// Fills counters[warp][p] with the records of the warp's part that belong to p; ends with a barrier.
__device__ void count_parts(int (&counters)[kWarps][kPartitions], const unsigned* key, int begin, int end) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int w = 0; w < kWarps; ++w) counters[w][threadIdx.x] = 0;
    __syncthreads();
    int part_end = min(begin + (warp + 1) * kPart, end);
    for (int first = begin + warp * kPart; first < part_end; first += 32) {
        int i = first + lane;
        take_places(counters[warp], i < part_end ? (int)partition_of(key[i]) : -1);
    }
    __syncthreads();
}

// The sum of the values of all lower threads of the block, and of all of them; ends with a barrier.
__device__ int exclusive_scan(int value, int& total) {
    __shared__ int of_warp[kWarps];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(kAll, sum, d);
        if (lane >= d) sum += other;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    int before = 0;
    total = 0;
    for (int w = 0; w < kWarps; ++w) {
        before += w < warp ? of_warp[w] : 0;
        total += of_warp[w];
    }
    __syncthreads();
    return before + sum - value;
}

// table[p * chunks + c]: how many records of chunk c belong to partition p.
__global__ void count(int n, int chunks, const unsigned* key, int* table) {
    __shared__ int counters[kWarps][kPartitions];
    int begin = blockIdx.x * kChunk, sum = 0;
    count_parts(counters, key, begin, min(begin + kChunk, n));
    for (int w = 0; w < kWarps; ++w) sum += counters[w][threadIdx.x];
    table[(size_t)threadIdx.x * chunks + blockIdx.x] = sum;
}

// Replaces each count by the records of the same partition in earlier chunks; starts[p] = all of partition p.
__global__ void sum_chunks(int chunks, int* table, int* starts) {
    int* row = table + (size_t)blockIdx.x * chunks;
    int before = 0;
    for (int first = 0; first < chunks; first += kThreads) {
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
    __shared__ int counters[kWarps][kPartitions];
    __shared__ unsigned keys[kChunk];
    __shared__ int payloads[kChunk], shift[kPartitions];  // shift: from a place in the block to one in the output
    int begin = blockIdx.x * kChunk, end = min(begin + kChunk, n), p = threadIdx.x;
    count_parts(counters, key, begin, end);
    int own = 0, total;
    for (int w = 0; w < kWarps; ++w) own += counters[w][p];
    int first_place = exclusive_scan(own, total);
    shift[p] = starts[p] + table[(size_t)p * chunks + blockIdx.x] - first_place;
    for (int w = 0; w < kWarps; ++w) {  // counts become first places
        int of_warp = counters[w][p];
        counters[w][p] = first_place;
        first_place += of_warp;
    }
    __syncthreads();
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, part_end = min(begin + (warp + 1) * kPart, end);
    for (int first = begin + warp * kPart; first < part_end; first += 32) {
        int i = first + lane;
        unsigned k = i < part_end ? key[i] : 0;
        int place = take_places(counters[warp], i < part_end ? (int)partition_of(k) : -1);
        if (i >= part_end) continue;
        keys[place] = k;
        payloads[place] = payload[i];
    }
    __syncthreads();
    for (int t = threadIdx.x; t < end - begin; t += kThreads) {
        int place = t + shift[partition_of(keys[t])];
        key_out[place] = keys[t];
        payload_out[place] = payloads[t];
    }
}

extern "C" void radix_partition(int n, const unsigned* key, const int* payload, unsigned* key_out, int* payload_out,
                                int* starts) {
    int chunks = (n - 1) / kChunk + 1;
    int* table = nullptr;
    cudaMalloc(&table, (size_t)kPartitions * chunks * sizeof(int));
    count<<<chunks, kThreads>>>(n, chunks, key, table);
    sum_chunks<<<kPartitions, kThreads>>>(chunks, table, starts);
    sum_partitions<<<1, kPartitions>>>(starts);
    scatter<<<chunks, kThreads>>>(n, chunks, key, payload, starts, table, key_out, payload_out);
    cudaFree(table);
}
