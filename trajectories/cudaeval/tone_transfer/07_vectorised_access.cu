// Tones of models: sixteen values a thread, loaded and stored at once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// The sum over this thread and those before it in the block.
__device__ int running_sum(int value) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += part[w];
    __syncthreads();  // before the next use
    return value;
}

// What value `threadIdx.x` becomes, where so many of the tile and of the model have that value.
__device__ uint8_t matching(int own, int wanted) {
    __shared__ int upto[256];
    const int mine = running_sum(own);
    upto[threadIdx.x] = running_sum(wanted);
    __syncthreads();
    int h = 0;
    for (int step = 128; step > 0; step /= 2)
        if (upto[h + step - 1] < mine) h += step;
    return h;
}

// Sixteen neighbouring values of a tile of n values, from number i on; those behind the end are 0.
template <bool kWide>
__device__ uint4 load(int i, int n, const uint8_t* tile) {
    if constexpr (kWide) return *(const uint4*)(tile + i);
    unsigned word[4] = {0, 0, 0, 0};
    for (int k = 0; k < 16 && i + k < n; ++k) word[k / 4] |= (unsigned)tile[i + k] << 8 * (k % 4);
    return {word[0], word[1], word[2], word[3]};
}

template <bool kWide>
__device__ void store(int i, int n, uint4 value, uint8_t* tile) {
    if constexpr (kWide) {
        *(uint4*)(tile + i) = value;
    } else {
        const unsigned word[4] = {value.x, value.y, value.z, value.w};
        for (int k = 0; k < 16 && i + k < n; ++k) tile[i + k] = word[k / 4] >> 8 * (k % 4);
    }
}

// Counts the first `left` of sixteen values.
__device__ void count_all(uint4 value, int left, int* local) {
    const unsigned word[4] = {value.x, value.y, value.z, value.w};
#pragma unroll
    for (int k = 0; k < 16; ++k)
        if (k < left) atomicAdd(local + (word[k / 4] >> 8 * (k % 4) & 255u), 1);
}

__device__ unsigned looked_up(unsigned word, const uint8_t* becomes) {
    return becomes[word & 255] | becomes[word >> 8 & 255] << 8 | becomes[word >> 16 & 255] << 16 | (unsigned)becomes[word >> 24] << 24;
}

// A block a tile, whose counts and table are in shared memory; a thread takes sixteen values at a time.
template <bool kWide>
__global__ void transfer(int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    __shared__ int own[256], wanted[256];
    __shared__ uint8_t table[256];
    const long long tile = (long long)blockIdx.x * n;
    own[threadIdx.x] = wanted[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 16 * threadIdx.x; i < n; i += 16 * kThreads) {
        count_all(load<kWide>(i, n, grey + tile), n - i, own);
        count_all(load<kWide>(i, n, model + tile), n - i, wanted);
    }
    __syncthreads();
    table[threadIdx.x] = matching(own[threadIdx.x], wanted[threadIdx.x]);
    __syncthreads();
    for (int i = 16 * threadIdx.x; i < n; i += 16 * kThreads) {
        uint4 value = load<kWide>(i, n, grey + tile);
        value = {looked_up(value.x, table), looked_up(value.y, table), looked_up(value.z, table), looked_up(value.w, table)};
        store<kWide>(i, n, value, matched + tile);
    }
}

extern "C" void tone_transfer(int tiles, int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    const bool wide = n % 16 == 0 && ((uintptr_t)grey | (uintptr_t)model | (uintptr_t)matched) % 16 == 0;
    (wide ? transfer<true> : transfer<false>)<<<tiles, kThreads>>>(n, grey, model, matched);
}
