#include <cstdint>
#include <cstdlib>

static const int kWindow = 256, kHop = 128, kFirst = 16;

struct Frame {
    const int16_t* x;

    int64_t difference(int t) const {
        int64_t sum = 0;
        for (int n = 0; n < kWindow; ++n) sum += std::abs(x[n] - x[n + t]);
        return sum;
    }
};

// Fundamental period of overlapping frames: the first lag at which a frame resembles itself well, then downhill from there.
void pitch_lags(int frames, int lags, const int16_t* signal, int32_t* lag) {
    for (int f = 0; f < frames; ++f) {
        const Frame frame = {signal + (int64_t)f * kHop};
        int64_t total = 0, smallest = INT64_MAX;
        int best = kFirst;
        for (int t = 1; t <= lags; ++t) {
            int64_t here = frame.difference(t);
            total += here;
            if (t < kFirst) continue;
            if (100 * t * here < 93 * total) {
                for (best = t; best < lags; ++best) {
                    const int64_t next = frame.difference(best + 1);
                    if (next >= here) break;
                    here = next;
                }
                break;
            }
            if (here < smallest) {
                smallest = here;
                best = t;
            }
        }
        lag[f] = best;
    }
}
