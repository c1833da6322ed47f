// Radix partition: a thread counts and scatters each chunk of records.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kChunk = 256;       // records of a thread
constexpr int kPartitions = 256;

__device__ unsigned partition_of(unsigned key) { return key * 2654435761u >> 24; }

// table[p * chunks + c]: how many records of chunk c belong to partition p.
__global__ void count(int n, int chunks, const unsigned* key, int* table) {
    int c = blockIdx.x * kThreads + threadIdx.x;
    if (c >= chunks) return;
    for (int p = 0; p < kPartitions; ++p) table[(size_t)p * chunks + c] = 0;
    int begin = c * kChunk, end = min(begin + kChunk, n);
    for (int i = begin; i < end; ++i) ++table[(size_t)partition_of(key[i]) * chunks + c];
}

// Replaces each count by the records of the same partition in earlier chunks; starts[p] = all of partition p.
__global__ void sum_chunks(int chunks, int* table, int* starts) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= kPartitions) return;
    int before = 0;
    for (int c = 0; c < chunks; ++c) {
        int own = table[(size_t)p * chunks + c];
        table[(size_t)p * chunks + c] = before;
        before += own;
    }
    starts[p] = before;
}

__global__ void sum_partitions(int* starts) {
    int before = 0;
    for (int p = 0; p < kPartitions; ++p) {
        int own = starts[p];
        starts[p] = before;
        before += own;
    }
    starts[kPartitions] = before;
}

__global__ void scatter(int n, int chunks, const unsigned* key, const int* payload, const int* starts, int* table,
                        unsigned* key_out, int* payload_out) {
    int c = blockIdx.x * kThreads + threadIdx.x;
    if (c >= chunks) return;
    int begin = c * kChunk, end = min(begin + kChunk, n);
    for (int i = begin; i < end; ++i) {
        unsigned p = partition_of(key[i]);
        int place = starts[p] + table[(size_t)p * chunks + c]++;
        key_out[place] = key[i];
        payload_out[place] = payload[i];
    }
}

extern "C" void radix_partition(int n, const unsigned* key, const int* payload, unsigned* key_out, int* payload_out,
                                int* starts) {
    int chunks = (n - 1) / kChunk + 1, blocks = (chunks - 1) / kThreads + 1;
    int* table = nullptr;
    cudaMalloc(&table, (size_t)kPartitions * chunks * sizeof(int));
    count<<<blocks, kThreads>>>(n, chunks, key, table);
    sum_chunks<<<kPartitions / kThreads, kThreads>>>(chunks, table, starts);
    sum_partitions<<<1, 1>>>(starts);
    scatter<<<blocks, kThreads>>>(n, chunks, key, payload, starts, table, key_out, payload_out);
    cudaFree(table);
}
