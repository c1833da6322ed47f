// Spikes: the first pass only counts, and the last one tests again, so that nothing is kept for each sample.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ bool spike(int t, int n, int threshold, const int16_t* sample) {
    if (t <= 0 || t >= n - 1) return false;
    const int16_t mine = sample[t];
    return mine > threshold && mine > sample[t - 1] && mine >= sample[t + 1];
}

// The sum of the values of this thread and those before it in the block; all threads take part.
__device__ int running_sum(int value) {
    __shared__ int work[2][kThreads];
    int now = 0;
    work[0][threadIdx.x] = value;
    for (int reach = 1; reach < kThreads; reach *= 2, now ^= 1) {
        __syncthreads();
        const int before = (int)threadIdx.x >= reach ? work[now][threadIdx.x - reach] : 0;
        work[now ^ 1][threadIdx.x] = work[now][threadIdx.x] + before;
    }
    __syncthreads();
    return work[now][threadIdx.x];
}

__global__ void tally(int n, int threshold, const int16_t* sample, int32_t* begin) {
    const int found = __syncthreads_count(spike(blockIdx.x * kThreads + threadIdx.x, n, threshold, sample));
    if (threadIdx.x == 0) begin[blockIdx.x] = found;
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

__global__ void write(int n, int threshold, const int16_t* sample, const int32_t* begin, int32_t* at, int16_t* height) {
    const int t = blockIdx.x * kThreads + threadIdx.x;
    const bool found = spike(t, n, threshold, sample);
    const int to = begin[blockIdx.x] + running_sum(found) - 1;
    if (!found) return;
    at[to] = t;
    height[to] = sample[t];
}

extern "C" void spike_events(int n, int threshold, const int16_t* sample, int32_t* at, int16_t* height, int32_t* count) {
    const int blocks = (n - 1) / kThreads + 1;
    int32_t* begin = nullptr;
    cudaMalloc(&begin, sizeof(int32_t) * blocks);
    tally<<<blocks, kThreads>>>(n, threshold, sample, begin);
    number_blocks<<<1, kThreads>>>(blocks, begin, count);
    write<<<blocks, kThreads>>>(n, threshold, sample, begin, at, height);
    cudaFree(begin);
}
