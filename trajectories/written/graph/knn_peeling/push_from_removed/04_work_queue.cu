// Peeling a nearest-neighbour graph: each round takes the vertices removed before it from a queue.
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

// queue holds every removed vertex once, in the order of rounds; those of round r end at end_of[r].
__global__ void remove_weak(int vertices, int keep, int rounds, const int* support, int* queue, int* end_of,
                            int* removed_in) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices || removed_in[v] <= rounds || support[v] >= keep) return;
    removed_in[v] = 1;
    queue[atomicAdd(end_of + 1, 1)] = v;
}

// Before round `round` begins, end_of[round] still has to start where the round before it ended.
__global__ void open_round(int round, int* end_of) { end_of[round] = end_of[round - 1]; }

__global__ void withdraw(int keep, int round, const int* first, const int* listing, int* queue, int* end_of,
                         int* support, int* removed_in) {
    const int from = end_of[round - 2], to = end_of[round - 1];
    for (int entry = from + blockIdx.x * kThreads + threadIdx.x; entry < to; entry += gridDim.x * kThreads) {
        int v = queue[entry];
        for (int k = first[v]; k < first[v + 1]; ++k) {
            int u = listing[k];
            if (atomicSub(support + u, 1) == keep && removed_in[u] != 0) {  // only one decrement crosses the threshold
                removed_in[u] = round;
                queue[atomicAdd(end_of + round, 1)] = u;
            }
        }
    }
}

extern "C" void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour,
                            const unsigned char* start, int* removed_in) {
    const int blocks = (vertices - 1) / kThreads + 1;
    int* scratch = nullptr;
    cudaMalloc(&scratch, (4 * (size_t)vertices + rounds + 2 + (size_t)vertices * degree) * sizeof(int));
    int *position = scratch, *support = position + vertices, *first = support + vertices;
    int *queue = first + vertices + 1, *end_of = queue + vertices, *listing = end_of + rounds + 1;
    cudaMemsetAsync(end_of, 0, 2 * sizeof(int));
    const int entry_blocks = (int)(((size_t)vertices * degree - 1) / kThreads + 1);
    begin<<<blocks, kThreads>>>(vertices, rounds, start, position, support, removed_in);
    count<<<entry_blocks, kThreads>>>(vertices, degree, neighbour, start, position, support);
    scan<<<1, kScanThreads>>>(vertices, position, first);
    reverse<<<entry_blocks, kThreads>>>(vertices, degree, neighbour, position, listing);
    remove_weak<<<blocks, kThreads>>>(vertices, keep, rounds, support, queue, end_of, removed_in);
    for (int round = 2; round <= rounds; ++round) {
        open_round<<<1, 1>>>(round, end_of);
        withdraw<<<264, kThreads>>>(keep, round, first, listing, queue, end_of, support, removed_in);
    }
    cudaFree(scratch);
}
