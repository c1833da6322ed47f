// States of machines: one machine a block, whose threads add times and changes up.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kThreads = 256;

// A block a machine; its first thread looks for the longest stays.
__global__ void sum_up(int n, const int* time, const uint8_t* state, int* spent, int* stays, int* longest, int* changes) {
    time += (long long)blockIdx.x * n, state += (long long)blockIdx.x * n;
    spent += kStates * blockIdx.x, stays += kStates * blockIdx.x, longest += kStates * blockIdx.x;
    changes += kStates * kStates * blockIdx.x;
    if (threadIdx.x < kStates) spent[threadIdx.x] = stays[threadIdx.x] = longest[threadIdx.x] = 0;
    if (threadIdx.x < kStates * kStates) changes[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) {
        if (i + 1 < n) atomicAdd(spent + state[i], time[i + 1] - time[i]);
        if (i + 1 < n && state[i] == state[i + 1]) continue;
        atomicAdd(stays + state[i], 1);
        if (i + 1 < n) atomicAdd(changes + kStates * state[i] + state[i + 1], 1);
    }
    if (threadIdx.x > 0) return;
    int begun = 0;
    for (int i = 1; i <= n; ++i) {
        const int was = state[begun];
        if (i < n && state[i] == was) continue;
        longest[was] = max(longest[was], time[min(i, n - 1)] - time[begun]);
        begun = i;
    }
}

extern "C" void machine_states(int machines, int n, const int32_t* time, const uint8_t* state, int32_t* spent, int32_t* stays,
                               int32_t* longest, int32_t* changes) {
    sum_up<<<machines, kThreads>>>(n, time, state, spent, stays, longest, changes);
}
