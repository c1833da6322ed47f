// Sessions: a block numbers 256 clicks at a time by a scan.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] += lower;
        __syncthreads();
    }
    *all = sum[kThreads - 1];
    return sum[threadIdx.x];
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
