// CSV field ends: a warp turns 4096 bytes into bit masks, four loads at a time; summaries are scanned by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kChunk = 4096;  // bytes per warp
constexpr int kWarps = 8;    // per block
constexpr unsigned int kAll = 0xFFFFFFFFu;

// What a chunk does: whether it switches the state, and its separators when it starts outside or inside of quotes.
struct Summary {
    int switches, outside, inside;
};

// Where a chunk starts: the state of the quotes and the number of field ends before it.
struct Start {
    int quoted, found;
};

// Bit k of the result: the parity of bits 0 to k.
__device__ unsigned int prefix_parity(unsigned int mask) {
    for (int distance = 1; distance < 32; distance *= 2) mask ^= mask << distance;
    return mask;
}

struct Masks {
    unsigned int quotes, separators;
};

constexpr int kGroups = 4;  // of 32 bytes, loaded together

// Masks of kGroups times 32 bytes from `first` on; bytes at `end` and beyond are neither.
__device__ void masks_of(const uint8_t* text, int first, int end, Masks (&masks)[kGroups]) {
    int byte[kGroups];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
        const int i = first + 32 * g + threadIdx.x;
        byte[g] = i < end ? text[i] : 0;
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g)
        masks[g] = {__ballot_sync(kAll, byte[g] == '"'), __ballot_sync(kAll, byte[g] == ',' || byte[g] == '\n')};
}

__global__ void summarise(int n, int chunks, const uint8_t* text, Summary* summaries) {
    const int chunk = blockIdx.x * kWarps + threadIdx.y;
    if (chunk >= chunks) return;
    const int end = min((chunk + 1) * kChunk, n);
    unsigned int quoted = 0;  // all ones inside of quotes, for a start outside
    int outside = 0, inside = 0;
    for (int first = chunk * kChunk; first < end; first += 32 * kGroups) {
        Masks masks[kGroups];
        masks_of(text, first, end, masks);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const unsigned int within = prefix_parity(masks[g].quotes) ^ quoted;
            outside += __popc(masks[g].separators & ~within);
            inside += __popc(masks[g].separators & within);
            quoted ^= __popc(masks[g].quotes) & 1 ? kAll : 0;
        }
    }
    if (threadIdx.x == 0) summaries[chunk] = {(int)(quoted & 1), outside, inside};
}

constexpr int kScan = 1024;  // threads of the scan

__device__ Summary then(Summary first, Summary second) {
    return {first.switches ^ second.switches, first.outside + (first.switches ? second.inside : second.outside),
            first.inside + (first.switches ? second.outside : second.inside)};
}

__device__ Summary from_below(Summary summary, int distance) {
    return {__shfl_up_sync(kAll, summary.switches, distance), __shfl_up_sync(kAll, summary.outside, distance),
            __shfl_up_sync(kAll, summary.inside, distance)};
}

// The composition of the summaries of lanes 0 to this one.
__device__ Summary scanned_in_warp(Summary mine, int lane) {
    for (int distance = 1; distance < 32; distance *= 2) {
        const Summary below = from_below(mine, distance);
        if (lane >= distance) mine = then(below, mine);
    }
    return mine;
}

__global__ void chain(int chunks, const Summary* summaries, Start* starts, int* count) {
    __shared__ Summary totals[kScan / 32];  // of the warps, then of all warps up to one
    const int t = threadIdx.x, each = (chunks - 1) / kScan + 1;
    const int begin = min(t * each, chunks), end = min(begin + each, chunks);
    Summary mine{0, 0, 0};
    for (int chunk = begin; chunk < end; ++chunk) mine = then(mine, summaries[chunk]);
    const int lane = t % 32, warp = t / 32;
    mine = scanned_in_warp(mine, lane);
    if (lane == 31) totals[warp] = mine;
    __syncthreads();
    if (warp == 0) totals[lane] = scanned_in_warp(totals[lane], lane);
    __syncthreads();
    Summary before = from_below(mine, 1);
    if (lane == 0) before = {0, 0, 0};
    if (warp > 0) before = then(totals[warp - 1], before);
    if (t == kScan - 1) count[0] = totals[warp].outside;
    Start start{before.switches, before.outside};
    for (int chunk = begin; chunk < end; ++chunk) {
        const Summary summary = summaries[chunk];
        starts[chunk] = start;
        start.found += start.quoted ? summary.inside : summary.outside;
        start.quoted ^= summary.switches;
    }
}

__global__ void write(int n, int chunks, const uint8_t* text, const Start* starts, int* ends) {
    const int chunk = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (chunk >= chunks) return;
    const int end = min((chunk + 1) * kChunk, n);
    const Start start = starts[chunk];
    unsigned int quoted = start.quoted ? kAll : 0;
    int found = start.found;
    for (int first = chunk * kChunk; first < end; first += 32 * kGroups) {
        Masks masks[kGroups];
        masks_of(text, first, end, masks);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const unsigned int valid = masks[g].separators & ~(prefix_parity(masks[g].quotes) ^ quoted);
            if (valid >> lane & 1) ends[found + __popc(valid & ((1u << lane) - 1))] = first + 32 * g + lane;
            found += __popc(valid);
            quoted ^= __popc(masks[g].quotes) & 1 ? kAll : 0;
        }
    }
}

extern "C" void csv_fields(int n, const uint8_t* text, int* ends, int* count) {
    const int chunks = (n - 1) / kChunk + 1, blocks = (chunks - 1) / kWarps + 1;
    const dim3 block(32, kWarps);
    Summary* summaries = nullptr;
    cudaMalloc(&summaries, chunks * (sizeof(Summary) + sizeof(Start)));
    Start* starts = reinterpret_cast<Start*>(summaries + chunks);
    summarise<<<blocks, block>>>(n, chunks, text, summaries);
    chain<<<1, kScan>>>(chunks, summaries, starts, count);
    write<<<blocks, block>>>(n, chunks, text, starts, ends);
    cudaFree(summaries);
}
