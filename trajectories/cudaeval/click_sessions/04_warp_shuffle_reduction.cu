// Sessions: the scan runs in warps, by shuffles, then over the warps.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) value += sum;
        sum += part[w];
    }
    *all = sum;
    return value;
}

// A block a user, 256 clicks at a time.
__global__ void cut(int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session, int32_t* spent,
                    int32_t* sessions) {
    const long long row = (long long)blockIdx.x * n;
    time += row;
    amount += row;
    session += row;
    spent += row;
    for (int i = threadIdx.x; i < n; i += kThreads) spent[i] = 0;
    __syncthreads();
    int now = 0, begun;  // sessions before these clicks, but for the first; and begun by them
    for (int first = 0; first < n; first += kThreads, now += begun) {
        const int i = first + threadIdx.x;
        const int mine = now + running_sum(i > 0 && i < n && time[i] - time[i - 1] > limit, &begun);
        if (i < n) {
            session[i] = mine;
            atomicAdd(spent + mine, amount[i]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) sessions[blockIdx.x] = now + 1;
}

extern "C" void click_sessions(int users, int n, uint32_t limit, const uint32_t* time, const uint16_t* amount, int32_t* session,
                               int32_t* spent, int32_t* sessions) {
    cut<<<users, kThreads>>>(n, limit, time, amount, session, spent, sessions);
}
