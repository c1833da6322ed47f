// Volume bars: one instrument a thread.
#include <cuda_runtime.h>

struct Bar {
    int open, high, low, close;
};

constexpr int kThreads = 64;

__global__ void condense(int instruments, int ticks, const int* size, const int* price, const int* volume, Bar* bar, int* bars) {
    const int i = blockIdx.x * kThreads + threadIdx.x, capacity = ticks / 4;
    if (i >= instruments) return;
    const int enough = size[i];
    Bar* next = bar + (size_t)i * capacity;
    Bar open = {0, 0, 0, 0};
    int traded = 0, taken = 0, closed = 0;
    for (int t = 0; t < ticks; ++t) {
        const int p = price[(size_t)i * ticks + t];
        traded += volume[(size_t)i * ticks + t];
        if (taken++ == 0) open = {p, p, p, p};
        open = {open.open, max(open.high, p), min(open.low, p), p};
        if (traded < enough) continue;
        next[closed++] = open;
        traded = taken = 0;
    }
    bars[i] = closed;
    for (; closed < capacity; ++closed) next[closed] = {0, 0, 0, 0};
}

extern "C" void volume_bars(int instruments, int ticks, const int* size, const int* price, const int* volume, Bar* bar, int* bars) {
    condense<<<(instruments - 1) / kThreads + 1, kThreads>>>(instruments, ticks, size, price, volume, bar, bars);
}
