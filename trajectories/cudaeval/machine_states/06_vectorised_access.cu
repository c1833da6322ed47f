// States of machines: four reports a thread, loaded at once; the scan has the times of begins.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kThreads = 256;

// The largest value of the threads before this one in the block; `all` gets that of all threads. Values are not negative.
__device__ int max_before(int value, int* all) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) value = max(value, __shfl_up_sync(0xffffffffu, value, reach));
    if (lane == 31) part[warp] = value;
    value = __shfl_up_sync(0xffffffffu, value, 1);
    if (lane == 0) value = 0;
    __syncthreads();
    int largest = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) value = max(value, largest);
        largest = max(largest, part[w]);
    }
    *all = largest;
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

constexpr int kNone = kStates;

// Reports i .. i + 3 of n, with the state of the one before them and time and state of the one behind them; no state is `kNone`.
struct Four {
    int state[6], time[5];

    __device__ Four(bool wide, int i, int n, const int* from_time, const uint8_t* from_state) {
        state[0] = i > 0 && i <= n ? from_state[i - 1] : kNone;
        if (wide && i < n) {
            const int4 when = *(const int4*)(from_time + i);
            const uchar4 what = *(const uchar4*)(from_state + i);
            time[0] = when.x, time[1] = when.y, time[2] = when.z, time[3] = when.w;
            state[1] = what.x, state[2] = what.y, state[3] = what.z, state[4] = what.w;
        } else {
            for (int k = 0; k < 4; ++k) {
                time[k] = from_time[min(i + k, n - 1)];
                state[k + 1] = i + k < n ? from_state[i + k] : kNone;
            }
        }
        time[4] = from_time[min(i + 4, n - 1)];
        state[5] = i + 4 < n ? from_state[i + 4] : kNone;
    }
};

// A block a machine, 1024 reports at a time, four a thread. As times ascend, a stay began at the largest time of such a begin so far.
__global__ void sum_up(bool wide, int n, const int* time, const uint8_t* state, int* spent, int* stays, int* longest, int* changes) {
    __shared__ Tally tally;
    time += (long long)blockIdx.x * n, state += (long long)blockIdx.x * n;
    tally.clear();
    int open = 0, last;  // when the stay before these reports began
    for (int first = 0; first < n; first += 4 * kThreads) {
        const Four four(wide, first + 4 * threadIdx.x, n, time, state);
        int begun = 0;
#pragma unroll
        for (int k = 1; k < 5; ++k)
            if (four.state[k] != four.state[k - 1] && four.state[k] != kNone) begun = four.time[k - 1];
        begun = max(open, max_before(begun, &last));
        open = max(open, last);
#pragma unroll
        for (int k = 1; k < 5; ++k) {
            const int was = four.state[k], next = four.state[k + 1];
            if (was == kNone) break;
            if (was != four.state[k - 1]) begun = four.time[k - 1];
            if (was == next) continue;
            tally.leave(was, four.time[k] - begun);
            if (next != kNone) atomicAdd(tally.changes + kStates * was + next, 1);
        }
    }
    tally.store(spent, stays, longest, changes);
}

extern "C" void machine_states(int machines, int n, const int32_t* time, const uint8_t* state, int32_t* spent, int32_t* stays,
                               int32_t* longest, int32_t* changes) {
    const bool wide = n % 4 == 0 && (uintptr_t)time % 16 == 0 && (uintptr_t)state % 4 == 0;
    sum_up<<<machines, kThreads>>>(wide, n, time, state, spent, stays, longest, changes);
}
