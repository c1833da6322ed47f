// JSON depth: what a piece of text does to the state is a map; maps of sixteen characters are composed across blocks.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;
constexpr int kItems = 16;  // characters of a thread

enum { kOutside = 0, kInside = 1, kEscaped = 2 };

// One character: the new state, and what it adds to the level.
__device__ int advance(int state, int c, int& level) {
    if (state == kEscaped) return kInside;
    if (state == kInside) return c == '\\' ? kEscaped : c == '"' ? kOutside : kInside;
    level += (c == '{' || c == '[') - (c == '}' || c == ']');
    return c == '"' ? kInside : kOutside;
}

// What a piece of text does to each of the three states.
struct Map {
    int states;    // two bits for each state before: the state after
    int level[3];  // what is added to the level, by the state before
};

__device__ int after(const Map& map, int state) { return map.states >> (2 * state) & 3; }

__device__ int pick(const Map& map, int state) { return state == 0 ? map.level[0] : state == 1 ? map.level[1] : map.level[2]; }

__device__ constexpr Map kSame = {0 | 1 << 2 | 2 << 4, {0, 0, 0}};

// First a, then b.
__device__ Map then(const Map& a, const Map& b) {
    Map both = {0, {0, 0, 0}};
#pragma unroll
    for (int from = 0; from < 3; ++from) {
        int middle = after(a, from);
        both.states |= after(b, middle) << (2 * from);
        both.level[from] = a.level[from] + pick(b, middle);
    }
    return both;
}

__device__ Map shuffled(const Map& map, int distance) {
    Map below;
    below.states = __shfl_up_sync(0xffffffffu, map.states, distance);
#pragma unroll
    for (int from = 0; from < 3; ++from) below.level[from] = __shfl_up_sync(0xffffffffu, map.level[from], distance);
    return below;
}

// What comes before this thread in the block, and the whole of the block.
__device__ Map block_before(Map map, Map& whole) {
    __shared__ Map warps[kThreads / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        Map below = shuffled(map, distance);
        if (lane >= distance) map = then(below, map);
    }
    Map before = shuffled(map, 1);
    if (lane == 0) before = kSame;
    __syncthreads();  // nobody still reads the last call's maps
    if (lane == 31) warps[warp] = map;
    __syncthreads();
    Map earlier = kSame;
    whole = kSame;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) earlier = whole;
        whole = then(whole, warps[w]);
    }
    return then(earlier, before);
}

// The map of a thread's characters.
__device__ Map summary(int n, const uint8_t* text, long long first) {
    int state[3] = {kOutside, kInside, kEscaped};
    Map map = kSame;
    for (long long i = first; i < min(first + kItems, (long long)n); ++i) {
        int c = text[i];
#pragma unroll
        for (int from = 0; from < 3; ++from) state[from] = advance(state[from], c, map.level[from]);
    }
    map.states = state[0] | state[1] << 2 | state[2] << 4;
    return map;
}

__global__ void summarise(int n, const uint8_t* text, Map* tiles) {
    Map whole;
    block_before(summary(n, text, ((long long)blockIdx.x * kThreads + threadIdx.x) * kItems), whole);
    if (threadIdx.x == 0) tiles[blockIdx.x] = whole;
}

// Replaces each tile's map by that of everything before it; one block.
__global__ void chain(int count, Map* tiles) {
    Map carried = kSame, whole;
    for (int k0 = 0; k0 < count; k0 += kThreads) {
        int k = k0 + threadIdx.x;
        Map before = then(carried, block_before(k < count ? tiles[k] : kSame, whole));
        if (k < count) tiles[k] = before;
        carried = then(carried, whole);
    }
}

__global__ void fill(int n, const uint8_t* text, const Map* tiles, int* depth) {
    long long first = ((long long)blockIdx.x * kThreads + threadIdx.x) * kItems;
    Map whole, before = then(tiles[blockIdx.x], block_before(summary(n, text, first), whole));
    int state = after(before, kOutside), level = before.level[kOutside];
    for (long long i = first; i < min(first + kItems, (long long)n); ++i) {
        state = advance(state, text[i], level);
        depth[i] = level;
    }
}

extern "C" void json_depth(int n, const uint8_t* text, int* depth) {
    if (n == 0) return;
    int count = (n - 1) / (kThreads * kItems) + 1;
    Map* tiles = nullptr;
    cudaMalloc(&tiles, count * sizeof(Map));
    summarise<<<count, kThreads>>>(n, text, tiles);
    chain<<<1, kThreads>>>(count, tiles);
    fill<<<count, kThreads>>>(n, text, tiles, depth);
    cudaFree(tiles);
}
