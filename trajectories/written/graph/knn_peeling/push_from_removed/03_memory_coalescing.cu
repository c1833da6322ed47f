// Peeling a nearest-neighbour graph: reversed lists built with one thread per entry; only removed vertices touch
// edges.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kScanThreads = 1024;

__global__ void begin(int vertices, int rounds, const unsigned char* start, int* listed, int* support,
                      int* removed_in) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    listed[v] = 0;
    support[v] = 0;
    removed_in[v] = start[v] != 0 ? rounds + 1 : 0;
}

__global__ void count(int vertices, int degree, const int* neighbour, const unsigned char* start, int* listed,
                      int* support) {
    size_t entry = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (entry >= (size_t)vertices * degree) return;
    int other = neighbour[entry];
    atomicAdd(listed + other, 1);
    if (start[other] != 0) atomicAdd(support + entry / degree, 1);
}

// first[v] = sum of listed[0 .. v - 1], first[vertices] = all of them; listed becomes the fill position.
__global__ void scan(int vertices, int* listed, int* first) {
    __shared__ int sums[kScanThreads];
    const int t = threadIdx.x, share = (vertices - 1) / kScanThreads + 1;
    const int from = min(t * share, vertices), to = min(from + share, vertices);
    int own = 0;
    for (int v = from; v < to; ++v) own += listed[v];
    sums[t] = own;
    __syncthreads();
    for (int distance = 1; distance < kScanThreads; distance *= 2) {
        int before = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    int at = sums[t] - own;
    for (int v = from; v < to; ++v) {
        int length = listed[v];
        first[v] = listed[v] = at;
        at += length;
    }
    if (t == kScanThreads - 1) first[vertices] = sums[t];
}

__global__ void reverse(int vertices, int degree, const int* neighbour, int* position, int* listing) {
    size_t entry = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (entry >= (size_t)vertices * degree) return;
    listing[atomicAdd(position + neighbour[entry], 1)] = (int)(entry / degree);
}

__global__ void remove_weak(int vertices, int keep, int rounds, int round, const int* support, int* removed_in) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices && removed_in[v] > rounds && support[v] < keep) removed_in[v] = round;
}

__global__ void withdraw(int vertices, int round, const int* first, const int* listing, const int* removed_in,
                         int* support) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices || removed_in[v] != round) return;
    for (int k = first[v]; k < first[v + 1]; ++k) atomicSub(support + listing[k], 1);
}

extern "C" void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour,
                            const unsigned char* start, int* removed_in) {
    const int blocks = (vertices - 1) / kThreads + 1;
    int* scratch = nullptr;
    cudaMalloc(&scratch, (3 * (size_t)vertices + 1 + (size_t)vertices * degree) * sizeof(int));
    int *position = scratch, *support = position + vertices, *first = support + vertices;
    int* listing = first + vertices + 1;
    const int entry_blocks = (int)(((size_t)vertices * degree - 1) / kThreads + 1);
    begin<<<blocks, kThreads>>>(vertices, rounds, start, position, support, removed_in);
    count<<<entry_blocks, kThreads>>>(vertices, degree, neighbour, start, position, support);
    scan<<<1, kScanThreads>>>(vertices, position, first);
    reverse<<<entry_blocks, kThreads>>>(vertices, degree, neighbour, position, listing);
    for (int round = 1; round <= rounds; ++round) {
        remove_weak<<<blocks, kThreads>>>(vertices, keep, rounds, round, support, removed_in);
        withdraw<<<blocks, kThreads>>>(vertices, round, first, listing, removed_in, support);
    }
    cudaFree(scratch);
}
