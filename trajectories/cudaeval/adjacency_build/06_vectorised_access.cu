// Adjacency rows: the one block that adds sizes up takes four a thread, loaded and stored at once.
#include <cuda_runtime.h>

#include <cstdint>

struct Link {
    int32_t from, to;
};

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = 8;

// Tells each link which one of its row it is, so that nothing has to be counted again.
__global__ void count(int links, const Link* link, int32_t* degree, int32_t* place) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && link[e].from != link[e].to) place[e] = atomicAdd(degree + link[e].from, 1);
}

__global__ void scatter(int links, const Link* link, const int32_t* begin, const int32_t* place, int32_t* bag) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && link[e].from != link[e].to) bag[begin[link[e].from] + place[e]] = link[e].to;
}

constexpr int kThreads = 1024, kRound = 4 * kThreads;

// begin[v]: the sum of what lies before size[v]; `total` is the sum of all. A thread takes four sizes at a time, of which there are a
// multiple of four, zeros behind the last.
__global__ void add_up(int nodes, const int32_t* size, int32_t* begin, int32_t* total) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int before = 0;
    for (int first = 0; first < nodes; first += kRound) {
        const int v = first + 4 * threadIdx.x;
        int4 own = {0, 0, 0, 0};
        if (v < nodes) own = *(const int4*)(size + v);
        const int four = own.x + own.y + own.z + own.w;
        int sum = four;
        for (int reach = 1; reach < 32; reach *= 2) {
            const int lower = __shfl_up_sync(kAll, sum, reach);
            if (lane >= reach) sum += lower;
        }
        if (lane == 31) part[warp] = sum;
        __syncthreads();
        int at = before + sum - four;
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) at += part[w];
            before += part[w];
        }
        const int4 out = {at, at + own.x, at + own.x + own.y, at + own.x + own.y + own.z};
        if (v + 4 <= nodes && (uintptr_t)begin % 16 == 0) {
            *(int4*)(begin + v) = out;
        } else {
            if (v < nodes) begin[v] = out.x;
            if (v + 1 < nodes) begin[v + 1] = out.y;
            if (v + 2 < nodes) begin[v + 2] = out.z;
            if (v + 3 < nodes) begin[v + 3] = out.w;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) begin[nodes] = *total = before;
}

constexpr int32_t kNone = 0x7fffffff;

// Strikes entries 32 * part .. 32 * part + 31 of a row out where they stand before; `to` is this lane's one.
__device__ int32_t struck_out(int part, int32_t to, const int32_t* mine) {
    const unsigned alike = __match_any_sync(kAll, to);
    bool repeated = (alike & ((1u << threadIdx.x % 32) - 1)) != 0;
    for (int j = 0; j < 32 * part; ++j) repeated |= mine[j] == to;
    return repeated ? kNone : to;
}

// How many of the entries that the first `count` lanes hold lie below `to`.
__device__ int lower(int count, int32_t held, int32_t to) {
    int rank = 0;
    for (int k = 0; k < count; ++k) rank += __shfl_sync(kAll, held, k) < to;
    return rank;
}

// A warp a row. Up to 32 entries stay in registers from beginning to end.
__global__ void tidy(int nodes, const int32_t* begin, const int32_t* bag, int32_t* once, int32_t* tidied, int32_t* kept) {
    const int v = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (v >= nodes) return;
    const int first = begin[v], all = begin[v + 1] - first, parts = (all + 31) / 32;
    int found = 0;
    int32_t to = kNone;
    for (int p = 0; p < parts; ++p) {
        to = struck_out(p, 32 * p + lane < all ? bag[first + 32 * p + lane] : kNone, bag + first);
        if (parts > 1 && 32 * p + lane < all) once[first + 32 * p + lane] = to;
        found += __popc(__ballot_sync(kAll, to != kNone));
    }
    __syncwarp();
    for (int p = 0; p < parts; ++p) {
        if (parts > 1) to = 32 * p + lane < all ? once[first + 32 * p + lane] : kNone;
        int rank = parts == 1 ? lower(all, to, to) : 0;
        for (int j = 0; j < all && parts > 1; ++j) rank += once[first + j] < to;
        if (to != kNone) tidied[first + rank] = to;
    }
    if (lane == 0) kept[v] = found;
}

__global__ void copy(int nodes, const int32_t* begin, const int32_t* tidied, const int32_t* start, int32_t* row) {
    const int v = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (v >= nodes) return;
    const int from = begin[v], to = start[v], all = start[v + 1] - to;
    for (int k = lane; k < all; k += 32) row[to + k] = tidied[from + k];
}

extern "C" void adjacency_build(int nodes, int links, const Link* link, int32_t* start, int32_t* row, int32_t* total) {
    int32_t *degree = nullptr, *begin = nullptr, *place = nullptr, *bag = nullptr, *once = nullptr, *tidied = nullptr;
    cudaMalloc(&degree, sizeof(int32_t) * (nodes + 3));
    cudaMalloc(&begin, sizeof(int32_t) * (nodes + 1));
    cudaMalloc(&place, sizeof(int32_t) * (links + 1));
    cudaMalloc(&bag, sizeof(int32_t) * links);
    cudaMalloc(&once, sizeof(int32_t) * links);
    cudaMalloc(&tidied, sizeof(int32_t) * links);
    cudaMemsetAsync(degree, 0, sizeof(int32_t) * (nodes + 3));
    count<<<(links - 1) / 256 + 1, 256>>>(links, link, degree, place);
    add_up<<<1, kThreads>>>(nodes, degree, begin, total);
    scatter<<<(links - 1) / 256 + 1, 256>>>(links, link, begin, place, bag);
    tidy<<<(nodes - 1) / kWarps + 1, 32 * kWarps>>>(nodes, begin, bag, once, tidied, degree);
    add_up<<<1, kThreads>>>(nodes, degree, start, total);
    copy<<<(nodes - 1) / kWarps + 1, 32 * kWarps>>>(nodes, begin, tidied, start, row);
    cudaFree(degree);
    cudaFree(begin);
    cudaFree(place);
    cudaFree(bag);
    cudaFree(once);
    cudaFree(tidied);
}
