// Spikes: one pass. A block learns where it begins from what the blocks before it have published.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kTile = 4 * kThreads;

// Four neighbouring samples from `t` on, and the two around them; which of the four are spikes, a bit each.
struct Quad {
    short4 value;
    unsigned spikes;
};

// `kWide`: the samples begin at a multiple of eight bytes.
template <bool kWide>
__device__ Quad load(int t, int n, int threshold, const int16_t* sample) {
    Quad quad = {};
    if (t >= n) return quad;
    int v[6] = {t > 0 ? sample[t - 1] : 32767, 0, 0, 0, 0, 0};  // an end of the recording is next to something high
    if (kWide && t + 4 < n) {
        const short4 four = *(const short4*)(sample + t);
        v[1] = four.x, v[2] = four.y, v[3] = four.z, v[4] = four.w, v[5] = sample[t + 4];
    } else {
        for (int k = 1; k < 6; ++k) v[k] = t + k - 1 < n ? sample[t + k - 1] : 32768;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) quad.spikes |= (unsigned)(v[k + 1] > threshold && v[k + 1] > v[k] && v[k + 1] >= v[k + 2]) << k;
    if (t + 4 > n) quad.spikes &= (1u << (n - t)) - 1;
    quad.value = make_short4((short)v[1], (short)v[2], (short)v[3], (short)v[4]);
    return quad;
}

__device__ void store(int t, Quad quad, int to, int32_t* at, int16_t* height) {
    const int16_t value[4] = {quad.value.x, quad.value.y, quad.value.z, quad.value.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if ((quad.spikes >> k & 1) == 0) continue;
        at[to] = t + k;
        height[to++] = value[k];
    }
}

// The sum of the values of this thread and those before it in the block; all threads take part.
__device__ int running_sum(int value) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += before;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w) value += part[w];
    __syncthreads();  // before the next use of `part`
    return value;
}

using State = unsigned long long;  // of a block: a sum, under one of these marks

constexpr State kOwn = 1ull << 40, kUpTo = 2ull << 40, kSum = kOwn - 1;

// How many spikes lie before block `b`, by looking back from block to block. Blocks take their numbers in the order in which they
// start, so that those before are running or done.
__device__ int spikes_before(int b, State* state) {
    State sum = 0;
    for (int other = b - 1; other >= 0; --other) {
        State theirs = 0;
        while (theirs == 0) theirs = atomicAdd(state + other, 0ull);
        sum += theirs & kSum;
        if (theirs >= kUpTo) break;
    }
    return (int)sum;
}

// state[0] counts the blocks that have started; the others follow.
template <bool kWide>
__global__ void find(int n, int threshold, const int16_t* __restrict__ sample, State* state, int32_t* __restrict__ at,
                     int16_t* __restrict__ height, int32_t* __restrict__ count) {
    __shared__ int number, begin;
    if (threadIdx.x == 0) number = (int)atomicAdd(state, 1ull);
    __syncthreads();
    const int b = number, t = b * kTile + 4 * threadIdx.x;
    const Quad quad = load<kWide>(t, n, threshold, sample);
    const int own = __popc(quad.spikes), sum = running_sum(own);
    if (threadIdx.x == kThreads - 1) {
        atomicExch(state + 1 + b, (b > 0 ? kOwn : kUpTo) | (State)sum);
        begin = spikes_before(b, state + 1);
        if (b > 0) atomicExch(state + 1 + b, kUpTo | (State)(begin + sum));
        if (b == (int)gridDim.x - 1) *count = begin + sum;
    }
    __syncthreads();
    store(t, quad, begin + sum - own, at, height);
}

extern "C" void spike_events(int n, int threshold, const int16_t* sample, int32_t* at, int16_t* height, int32_t* count) {
    const int blocks = (n - 1) / kTile + 1;
    State* state = nullptr;
    cudaMalloc(&state, sizeof(State) * (blocks + 1));
    cudaMemsetAsync(state, 0, sizeof(State) * (blocks + 1));
    if ((uintptr_t)sample % 8 == 0)
        find<true><<<blocks, kThreads>>>(n, threshold, sample, state, at, height, count);
    else
        find<false><<<blocks, kThreads>>>(n, threshold, sample, state, at, height, count);
    cudaFree(state);
}
