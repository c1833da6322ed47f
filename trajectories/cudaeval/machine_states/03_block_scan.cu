// States of machines: a scan tells where stays began.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kThreads = 256;

// The largest value of this thread and those before it in the block; `all` gets that of all threads. Values are not negative.
__device__ int running_max(int value, int* all) {
    __shared__ int work[kThreads];
    work[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? work[threadIdx.x - reach] : 0;
        __syncthreads();
        work[threadIdx.x] = value = max(value, lower);
        __syncthreads();
    }
    *all = work[kThreads - 1];
    __syncthreads();
    return value;
}

// A block a machine, 256 reports at a time. The last report of a stay learns from a scan which one was the first.
__global__ void sum_up(int n, const int* time, const uint8_t* state, int* spent, int* stays, int* longest, int* changes) {
    time += (long long)blockIdx.x * n, state += (long long)blockIdx.x * n;
    spent += kStates * blockIdx.x, stays += kStates * blockIdx.x, longest += kStates * blockIdx.x;
    changes += kStates * kStates * blockIdx.x;
    if (threadIdx.x < kStates) spent[threadIdx.x] = stays[threadIdx.x] = longest[threadIdx.x] = 0;
    if (threadIdx.x < kStates * kStates) changes[threadIdx.x] = 0;
    __syncthreads();
    int open = 0, last;  // the report with which the stay before these reports began
    for (int first = 0; first < n; first += kThreads) {
        const int i = first + threadIdx.x, was = i < n ? state[i] : 0;
        const int begun = max(open, running_max(i > 0 && i < n && state[i - 1] != was ? i : 0, &last));
        open = max(open, last);
        if (i >= n || (i + 1 < n && state[i + 1] == was)) continue;
        const int took = time[min(i + 1, n - 1)] - time[begun];
        atomicAdd(spent + was, took);
        atomicAdd(stays + was, 1);
        atomicMax(longest + was, took);
        if (i + 1 < n) atomicAdd(changes + kStates * was + state[i + 1], 1);
    }
}

extern "C" void machine_states(int machines, int n, const int32_t* time, const uint8_t* state, int32_t* spent, int32_t* stays,
                               int32_t* longest, int32_t* changes) {
    sum_up<<<machines, kThreads>>>(n, time, state, spent, stays, longest, changes);
}
