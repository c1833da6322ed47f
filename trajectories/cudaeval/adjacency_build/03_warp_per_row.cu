// Adjacency rows: a warp orders a row by counting what is lower.
#include <cuda_runtime.h>

#include <cstdint>

struct Link {
    int32_t from, to;
};

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 8;

__global__ void count(int links, const Link* link, int32_t* degree) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && link[e].from != link[e].to) atomicAdd(degree + link[e].from, 1);
}

constexpr int kThreads = 1024;

// begin[v]: the sum of what lies before size[v]; `total` is the sum of all. One block takes 1024 sizes at a time.
__global__ void add_up(int nodes, const int32_t* size, int32_t* begin, int32_t* total) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int before = 0;
    for (int first = 0; first < nodes; first += kThreads) {
        const int v = first + threadIdx.x, own = v < nodes ? size[v] : 0;
        int sum = own;
        for (int reach = 1; reach < 32; reach *= 2) {
            const int lower = __shfl_up_sync(kAll, sum, reach);
            if (lane >= reach) sum += lower;
        }
        if (lane == 31) part[warp] = sum;
        __syncthreads();
        int ahead = before;
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) ahead += part[w];
            before += part[w];
        }
        if (v < nodes) begin[v] = ahead + sum - own;
        __syncthreads();
    }
    if (threadIdx.x == 0) begin[nodes] = *total = before;
}

__global__ void scatter(int links, const Link* link, int32_t* next, int32_t* bag) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && link[e].from != link[e].to) bag[atomicAdd(next + link[e].from, 1)] = link[e].to;
}

constexpr int32_t kNone = 0x7fffffff;

// A warp a row. An entry that stands in the row before is struck out, the others go where their rank says.
__global__ void tidy(int nodes, const int32_t* begin, const int32_t* bag, int32_t* once, int32_t* tidied, int32_t* kept) {
    const int v = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (v >= nodes) return;
    const int first = begin[v], all = begin[v + 1] - first;
    int found = 0;
    for (int k = lane; k < all; k += 32) {
        const int32_t to = bag[first + k];
        bool repeated = false;
        for (int j = 0; j < k; ++j) repeated |= bag[first + j] == to;
        once[first + k] = repeated ? kNone : to;
        found += !repeated;
    }
    __syncwarp();
    for (int k = lane; k < all; k += 32) {
        const int32_t to = once[first + k];
        int rank = 0;
        for (int j = 0; j < all; ++j) rank += once[first + j] < to;
        if (to != kNone) tidied[first + rank] = to;
    }
    found = __reduce_add_sync(kAll, found);
    if (lane == 0) kept[v] = found;
}

__global__ void copy(int nodes, const int32_t* begin, const int32_t* tidied, const int32_t* start, int32_t* row) {
    const int v = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (v >= nodes) return;
    const int from = begin[v], to = start[v], all = start[v + 1] - to;
    for (int k = lane; k < all; k += 32) row[to + k] = tidied[from + k];
}

extern "C" void adjacency_build(int nodes, int links, const Link* link, int32_t* start, int32_t* row, int32_t* total) {
    int32_t *degree = nullptr, *begin = nullptr, *next = nullptr, *bag = nullptr, *once = nullptr, *tidied = nullptr;
    cudaMalloc(&degree, sizeof(int32_t) * nodes);
    cudaMalloc(&begin, sizeof(int32_t) * (nodes + 1));
    cudaMalloc(&next, sizeof(int32_t) * nodes);
    cudaMalloc(&bag, sizeof(int32_t) * links);
    cudaMalloc(&once, sizeof(int32_t) * links);
    cudaMalloc(&tidied, sizeof(int32_t) * links);
    cudaMemsetAsync(degree, 0, sizeof(int32_t) * nodes);
    count<<<(links - 1) / 256 + 1, 256>>>(links, link, degree);
    add_up<<<1, kThreads>>>(nodes, degree, begin, total);
    cudaMemcpyAsync(next, begin, sizeof(int32_t) * nodes, cudaMemcpyDeviceToDevice);
    scatter<<<(links - 1) / 256 + 1, 256>>>(links, link, next, bag);
    tidy<<<(nodes - 1) / kWarps + 1, 32 * kWarps>>>(nodes, begin, bag, once, tidied, degree);
    add_up<<<1, kThreads>>>(nodes, degree, start, total);
    copy<<<(nodes - 1) / kWarps + 1, 32 * kWarps>>>(nodes, begin, tidied, start, row);
    cudaFree(degree);
    cudaFree(begin);
    cudaFree(next);
    cudaFree(bag);
    cudaFree(once);
    cudaFree(tidied);
}
