// Minimizers of windows of ten 15-mers, with a rolling k-mer and a ring of the last ten hashes.
#include <cstdint>

static const int kLetters = 15, kWindow = 10;

static uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    uint32_t code = 0, ring[kWindow];
    for (int last = 0; last < n; ++last) {
        code = (code << 2 | base[last]) & ((1u << 2 * kLetters) - 1);
        int kmer = last - kLetters + 1, window = kmer - kWindow + 1;
        if (kmer < 0) continue;
        ring[kmer % kWindow] = mixed(code);
        if (window < 0) continue;
        int first = window;
        for (int i = window + 1; i <= kmer; ++i)
            if (ring[i % kWindow] < ring[first % kWindow]) first = i;
        least[window] = ring[first % kWindow];
        place[window] = first;
    }
}
