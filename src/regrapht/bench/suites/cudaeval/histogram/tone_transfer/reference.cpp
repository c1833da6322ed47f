#include <cstdint>
#include <cstring>

struct Tones {
    int32_t upto[256];

    void gather(const uint8_t* from, int count) {
        std::memset(upto, 0, sizeof upto);
        while (count-- > 0) ++upto[*from++];
        for (int level = 1; level < 256; ++level) upto[level] += upto[level - 1];
    }
};

void tone_transfer(int tiles, int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    Tones own, wanted;
    uint8_t becomes[256];
    for (int t = 0; t < tiles; ++t) {
        const int64_t tile = (int64_t)t * n;
        own.gather(grey + tile, n);
        wanted.gather(model + tile, n);
        int h = 0;
        for (int g = 0; g < 256; ++g) {
            while (wanted.upto[h] < own.upto[g]) ++h;
            becomes[g] = (uint8_t)h;
        }
        for (int i = 0; i < n; ++i) matched[tile + i] = becomes[grey[tile + i]];
    }
}
