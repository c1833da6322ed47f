#include <algorithm>
#include <cstddef>

struct Bar {
    int open, high, low, close;
};

void volume_bars(int instruments, int ticks, const int* size, const int* price, const int* volume, Bar* bar, int* bars) {
    const int capacity = ticks / 4;
    for (int i = 0; i < instruments; ++i) {
        const int* p = price + (size_t)i * ticks;
        const int* v = volume + (size_t)i * ticks;
        Bar* next = bar + (size_t)i * capacity;
        int t = 0;
        int closed = 0;
        while (t < ticks) {
            Bar open = {p[t], p[t], p[t], p[t]};
            int traded = 0;
            do {
                open.high = std::max(open.high, p[t]);
                open.low = std::min(open.low, p[t]);
                open.close = p[t];
                traded += v[t];
            } while (++t < ticks && traded < size[i]);
            if (traded >= size[i]) next[closed++] = open;
        }
        bars[i] = closed;
        std::fill(next + closed, next + capacity, Bar{0, 0, 0, 0});
    }
}
