// States of machines: a block adds up in shared memory.
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

struct Tally {
    int spent[kStates], stays[kStates], longest[kStates], changes[kStates * kStates];

    __device__ void clear() {
        if (threadIdx.x < kStates) spent[threadIdx.x] = stays[threadIdx.x] = longest[threadIdx.x] = 0;
        if (threadIdx.x < kStates * kStates) changes[threadIdx.x] = 0;
        __syncthreads();
    }

    __device__ void leave(int was, int took) {
        atomicAdd(spent + was, took);
        atomicAdd(stays + was, 1);
        atomicMax(longest + was, took);
    }

    __device__ void store(int* to_spent, int* to_stays, int* to_longest, int* to_changes) const {
        __syncthreads();
        if (threadIdx.x < kStates) {
            to_spent[kStates * blockIdx.x + threadIdx.x] = spent[threadIdx.x];
            to_stays[kStates * blockIdx.x + threadIdx.x] = stays[threadIdx.x];
            to_longest[kStates * blockIdx.x + threadIdx.x] = longest[threadIdx.x];
        }
        if (threadIdx.x < kStates * kStates) to_changes[kStates * kStates * blockIdx.x + threadIdx.x] = changes[threadIdx.x];
    }
};

// A block a machine, 256 reports at a time. The last report of a stay learns from a scan which one was the first.
__global__ void sum_up(int n, const int* time, const uint8_t* state, int* spent, int* stays, int* longest, int* changes) {
    __shared__ Tally tally;
    time += (long long)blockIdx.x * n, state += (long long)blockIdx.x * n;
    tally.clear();
    int open = 0, last;  // the report with which the stay before these reports began
    for (int first = 0; first < n; first += kThreads) {
        const int i = first + threadIdx.x, was = i < n ? state[i] : 0;
        const int begun = max(open, running_max(i > 0 && i < n && state[i - 1] != was ? i : 0, &last));
        open = max(open, last);
        if (i >= n || (i + 1 < n && state[i + 1] == was)) continue;
        tally.leave(was, time[min(i + 1, n - 1)] - time[begun]);
        if (i + 1 < n) atomicAdd(tally.changes + kStates * was + state[i + 1], 1);
    }
    tally.store(spent, stays, longest, changes);
}

extern "C" void machine_states(int machines, int n, const int32_t* time, const uint8_t* state, int32_t* spent, int32_t* stays,
                               int32_t* longest, int32_t* changes) {
    sum_up<<<machines, kThreads>>>(n, time, state, spent, stays, longest, changes);
}
