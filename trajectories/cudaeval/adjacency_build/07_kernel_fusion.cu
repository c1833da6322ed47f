// Adjacency rows: rows are ordered, added up and written by one kernel, whose blocks look back at those before.
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

using State = unsigned long long;  // of a block: a number of entries under one of these marks

constexpr State kOwn = 1ull << 40, kUpTo = 2ull << 40, kEntries = kOwn - 1;

// Publishes what block `b` has and finds what all blocks before it have; those have started already, as blocks number themselves.
__device__ int entries_before(int b, int own, State* state) {
    atomicExch(state + b, kOwn | (State)own);
    State sum = 0;
    for (int other = b; other > 0;) {
        const State theirs = atomicAdd(state + --other, 0ull);
        if (theirs == 0) ++other;  // not yet there
        sum += theirs & kEntries;
        if (theirs >= kUpTo) break;
    }
    atomicExch(state + b, kUpTo | (sum + own));
    return (int)sum;
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

// A warp a row; once the rows before are known to be so and so long, it is written where it belongs. state[0] numbers the blocks.
__global__ void tidy(int nodes, const int32_t* begin, const int32_t* bag, int32_t* once, State* state, int32_t* start, int32_t* row,
                     int32_t* total) {
    __shared__ int number, before, kept[kWarps];
    if (threadIdx.x == 0) number = (int)atomicAdd(state, 1ull);
    __syncthreads();
    const int b = number, warp = threadIdx.x / 32, lane = threadIdx.x % 32, v = b * kWarps + warp;
    const int first = v < nodes ? begin[v] : 0, all = v < nodes ? begin[v + 1] - first : 0, parts = (all + 31) / 32;
    int found = 0;
    int32_t to = kNone;
    for (int p = 0; p < parts; ++p) {
        to = struck_out(p, 32 * p + lane < all ? bag[first + 32 * p + lane] : kNone, bag + first);
        if (parts > 1 && 32 * p + lane < all) once[first + 32 * p + lane] = to;
        found += __popc(__ballot_sync(kAll, to != kNone));
    }
    if (lane == 0) kept[warp] = found;
    __syncthreads();
    int ahead = 0, own = 0;
    for (int w = 0; w < kWarps; ++w) {
        if (w < warp) ahead += kept[w];
        own += kept[w];
    }
    if (threadIdx.x == 0) {
        before = entries_before(b, own, state + 1);
        if (b == (int)gridDim.x - 1) start[nodes] = *total = before + own;
    }
    __syncthreads();
    if (v >= nodes) return;
    if (lane == 0) start[v] = before + ahead;
    for (int p = 0; p < parts; ++p) {
        if (parts > 1) to = 32 * p + lane < all ? once[first + 32 * p + lane] : kNone;
        int rank = parts == 1 ? lower(all, to, to) : 0;
        for (int j = 0; j < all && parts > 1; ++j) rank += once[first + j] < to;
        if (to != kNone) row[before + ahead + rank] = to;
    }
}

extern "C" void adjacency_build(int nodes, int links, const Link* link, int32_t* start, int32_t* row, int32_t* total) {
    const int blocks = (nodes - 1) / kWarps + 1;
    int32_t *degree = nullptr, *begin = nullptr, *bag = nullptr, *once = nullptr, *place = nullptr;
    State* state = nullptr;
    cudaMalloc(&degree, sizeof(int32_t) * (nodes + 3));
    cudaMalloc(&begin, sizeof(int32_t) * (nodes + 1));
    cudaMalloc(&bag, sizeof(int32_t) * links);
    cudaMalloc(&once, sizeof(int32_t) * links);
    cudaMalloc(&place, sizeof(int32_t) * links);
    cudaMalloc(&state, sizeof(State) * (blocks + 1));
    cudaMemsetAsync(degree, 0, sizeof(int32_t) * (nodes + 3));
    cudaMemsetAsync(state, 0, sizeof(State) * (blocks + 1));
    count<<<(links - 1) / 256 + 1, 256>>>(links, link, degree, place);
    add_up<<<1, kThreads>>>(nodes, degree, begin, total);
    scatter<<<(links - 1) / 256 + 1, 256>>>(links, link, begin, place, bag);
    tidy<<<blocks, 32 * kWarps>>>(nodes, begin, bag, once, state, start, row, total);
    cudaFree(degree);
    cudaFree(begin);
    cudaFree(bag);
    cudaFree(once);
    cudaFree(place);
    cudaFree(state);
}
