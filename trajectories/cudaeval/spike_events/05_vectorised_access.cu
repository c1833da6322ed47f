// Spikes: four neighbouring samples a thread, loaded at once.
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

template <bool kWide>
__global__ void tally(int n, int threshold, const int16_t* __restrict__ sample, int32_t* __restrict__ begin) {
    const int t = blockIdx.x * kTile + 4 * threadIdx.x;
    const int sum = running_sum(__popc(load<kWide>(t, n, threshold, sample).spikes));
    if (threadIdx.x == kThreads - 1) begin[blockIdx.x] = sum;
}

// Turns what the blocks found into where each of them begins, in one block.
__global__ void number_blocks(int blocks, int32_t* begin, int32_t* count) {
    int so_far = 0;
    __shared__ int total;
    for (int first = 0; first < blocks; first += kThreads) {
        const int b = first + threadIdx.x, mine = b < blocks ? begin[b] : 0, sum = running_sum(mine);
        if (b < blocks) begin[b] = so_far + sum - mine;
        if (threadIdx.x == kThreads - 1) total = sum;
        __syncthreads();
        so_far += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) *count = so_far;
}

template <bool kWide>
__global__ void write(int n, int threshold, const int16_t* __restrict__ sample, const int32_t* __restrict__ begin,
                      int32_t* __restrict__ at, int16_t* __restrict__ height) {
    const int t = blockIdx.x * kTile + 4 * threadIdx.x;
    const Quad quad = load<kWide>(t, n, threshold, sample);
    const int own = __popc(quad.spikes);
    store(t, quad, begin[blockIdx.x] + running_sum(own) - own, at, height);
}

extern "C" void spike_events(int n, int threshold, const int16_t* sample, int32_t* at, int16_t* height, int32_t* count) {
    const int blocks = (n - 1) / kTile + 1;
    int32_t* begin = nullptr;
    cudaMalloc(&begin, sizeof(int32_t) * blocks);
    if ((uintptr_t)sample % 8 == 0) {
        tally<true><<<blocks, kThreads>>>(n, threshold, sample, begin);
        number_blocks<<<1, kThreads>>>(blocks, begin, count);
        write<true><<<blocks, kThreads>>>(n, threshold, sample, begin, at, height);
    } else {
        tally<false><<<blocks, kThreads>>>(n, threshold, sample, begin);
        number_blocks<<<1, kThreads>>>(blocks, begin, count);
        write<false><<<blocks, kThreads>>>(n, threshold, sample, begin, at, height);
    }
    cudaFree(begin);
}
