// States of machines: one machine a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8;

__global__ void sum_up(int machines, int n, const int* time, const uint8_t* state, int* spent, int* stays, int* longest, int* changes) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= machines) return;
    time += (long long)m * n, state += (long long)m * n;
    spent += kStates * m, stays += kStates * m, longest += kStates * m, changes += kStates * kStates * m;
    for (int s = 0; s < kStates; ++s) spent[s] = stays[s] = longest[s] = 0;
    for (int c = 0; c < kStates * kStates; ++c) changes[c] = 0;
    int begun = 0;
    for (int i = 1; i <= n; ++i) {
        const int was = state[begun];
        if (i < n && state[i] == was) continue;
        const int took = time[min(i, n - 1)] - time[begun];
        spent[was] += took;
        longest[was] = max(longest[was], took);
        ++stays[was];
        if (i < n) ++changes[kStates * was + state[i]];
        begun = i;
    }
}

extern "C" void machine_states(int machines, int n, const int32_t* time, const uint8_t* state, int32_t* spent, int32_t* stays,
                               int32_t* longest, int32_t* changes) {
    sum_up<<<(machines - 1) / 32 + 1, 32>>>(machines, n, time, state, spent, stays, longest, changes);
}
