// JSON depth: what a piece of text does to the state is a map; a character's effect on all states is looked up in a table.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;
constexpr int kItems = 16;  // characters of a thread

enum { kOutside = 0, kInside = 1, kEscaped = 2 };

// What each character does: two bits for each state before tell the state after, and bits 8 and up, less one, the change of the
// level outside of strings.
__device__ void fill_table(uint16_t* table) {
    for (int c = threadIdx.x; c < 256; c += kThreads) {
        int outside = c == '"' ? kInside : kOutside, inside = c == '\\' ? kEscaped : c == '"' ? kOutside : kInside;
        int change = 1 + (c == '{' || c == '[') - (c == '}' || c == ']');
        table[c] = (uint16_t)(outside | inside << 2 | kInside << 4 | change << 8);
    }
    __syncthreads();
}

// One character: the new state, and what it adds to the level.
__device__ int advance(const uint16_t* table, int state, int c, int& level) {
    int entry = table[c];
    level += state == kOutside ? (entry >> 8) - 1 : 0;
    return entry >> (2 * state) & 3;
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

struct Text {
    uint32_t word[4];

    __device__ int at(int j) const { return word[j / 4] >> (j % 4 * 8) & 255; }
};

// A thread's characters; blanks, which change nothing but an escape, stand past the end.
__device__ Text load(int n, bool wide, const uint8_t* text, long long first) {
    Text mine;
    if (wide && first + kItems <= n) {
        uint4 four = *reinterpret_cast<const uint4*>(text + first);
        mine.word[0] = four.x, mine.word[1] = four.y, mine.word[2] = four.z, mine.word[3] = four.w;
        return mine;
    }
    mine.word[0] = mine.word[1] = mine.word[2] = mine.word[3] = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) mine.word[j / 4] |= (first + j < n ? (uint32_t)text[first + j] : 32u) << (j % 4 * 8);
    return mine;
}

// The map of a thread's characters.
__device__ Map summary(const uint16_t* table, const Text& text) {
    int state[3] = {kOutside, kInside, kEscaped};
    Map map = kSame;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
#pragma unroll
        for (int from = 0; from < 3; ++from) state[from] = advance(table, state[from], text.at(j), map.level[from]);
    }
    map.states = state[0] | state[1] << 2 | state[2] << 4;
    return map;
}

__global__ void summarise(int n, bool wide, const uint8_t* text, Map* tiles) {
    __shared__ uint16_t table[256];
    fill_table(table);
    Map whole;
    block_before(summary(table, load(n, wide, text, ((long long)blockIdx.x * kThreads + threadIdx.x) * kItems)), whole);
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

__global__ void fill(int n, bool wide, const uint8_t* text, const Map* tiles, int* depth) {
    __shared__ uint16_t table[256];
    fill_table(table);
    long long first = ((long long)blockIdx.x * kThreads + threadIdx.x) * kItems;
    Text mine = load(n, wide, text, first);
    Map whole, before = then(tiles[blockIdx.x], block_before(summary(table, mine), whole));
    int state = after(before, kOutside), level = before.level[kOutside];
#pragma unroll
    for (int j = 0; j < kItems; j += 4) {
        int four[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            state = advance(table, state, mine.at(j + k), level);
            four[k] = level;
        }
        if (wide && first + j + 4 <= n) {
            *reinterpret_cast<int4*>(depth + first + j) = make_int4(four[0], four[1], four[2], four[3]);
        } else {
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (first + j + k < n) depth[first + j + k] = four[k];
        }
    }
}

extern "C" void json_depth(int n, const uint8_t* text, int* depth) {
    if (n == 0) return;
    int count = (n - 1) / (kThreads * kItems) + 1;
    Map* tiles = nullptr;
    cudaMalloc(&tiles, count * sizeof(Map));
    bool wide = (reinterpret_cast<uintptr_t>(text) | reinterpret_cast<uintptr_t>(depth)) % 16 == 0;
    summarise<<<count, kThreads>>>(n, wide, text, tiles);
    chain<<<1, kThreads>>>(count, tiles);
    fill<<<count, kThreads>>>(n, wide, text, tiles, depth);
    cudaFree(tiles);
}
