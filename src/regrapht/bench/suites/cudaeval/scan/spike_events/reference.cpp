#include <cstdint>

void spike_events(int n, int threshold, const int16_t* sample, int32_t* at, int16_t* height, int32_t* count) {
    int32_t found = 0;
    int t = 1;
    while (t < n - 1) {
        if (sample[t] <= threshold || sample[t] <= sample[t - 1]) {
            ++t;
            continue;
        }
        if (sample[t] < sample[t + 1]) {
            ++t;
            continue;
        }
        at[found] = t;
        height[found++] = sample[t];
        t += 2;  // what follows a spike is not above it
    }
    *count = found;
}
