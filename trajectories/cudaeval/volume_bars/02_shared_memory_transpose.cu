// Volume bars: 32 ticks of each of the block's instruments at a time are turned in shared memory; empty bars are filled by all threads.
#include <cuda_runtime.h>

struct Bar {
    int open, high, low, close;
};

constexpr int kThreads = 64;
constexpr int kTicks = 32;  // in shared memory at a time

__global__ void condense(int instruments, int ticks, const int* size, const int* price, const int* volume, Bar* bar, int* bars) {
    const int i = blockIdx.x * kThreads + threadIdx.x, capacity = ticks / 4;
    __shared__ int prices[kThreads][kTicks + 1], volumes[kThreads][kTicks + 1], used[kThreads];
    const int first = blockIdx.x * kThreads, here = min(kThreads, instruments - first);
    const int enough = size[min(i, instruments - 1)];
    Bar* next = bar + (size_t)i * capacity;
    Bar open = {0, 0, 0, 0};
    int traded = 0, taken = 0, closed = 0;
    for (int start = 0; start < ticks; start += kTicks) {
        const int lane = threadIdx.x % kTicks;
        for (int row = threadIdx.x / kTicks; row < here && start + lane < ticks; row += kThreads / kTicks) {
            prices[row][lane] = price[(size_t)(first + row) * ticks + start + lane];
            volumes[row][lane] = volume[(size_t)(first + row) * ticks + start + lane];
        }
        __syncthreads();
        for (int t = 0; t < min(kTicks, ticks - start) && (int)threadIdx.x < here; ++t) {
            const int p = prices[threadIdx.x][t];
            traded += volumes[threadIdx.x][t];
            if (taken++ == 0) open = {p, p, p, p};
            open = {open.open, max(open.high, p), min(open.low, p), p};
            if (traded < enough) continue;
            next[closed++] = open;
            traded = taken = 0;
        }
        __syncthreads();
    }
    if (i < instruments) bars[i] = closed;
    used[threadIdx.x] = closed;
    __syncthreads();
    for (int k = threadIdx.x; k < here * capacity; k += kThreads) {
        if (k % capacity >= used[k / capacity]) bar[(size_t)first * capacity + k] = {0, 0, 0, 0};
    }
}

extern "C" void volume_bars(int instruments, int ticks, const int* size, const int* price, const int* volume, Bar* bar, int* bars) {
    condense<<<(instruments - 1) / kThreads + 1, kThreads>>>(instruments, ticks, size, price, volume, bar, bars);
}
