#include <cstdint>

// Parity pieces of a systematic erasure code over the field of 256 elements, by logarithms to the base x.
void erasure_encode(int pieces, int parities, int length, const uint8_t* coefficient, const uint8_t* data, uint8_t* parity) {
    uint8_t power[510], logarithm[256] = {0};
    unsigned element = 1;
    for (int e = 0; e < 255; ++e) {
        power[e] = power[e + 255] = (uint8_t)element;
        logarithm[element] = (uint8_t)e;
        element <<= 1;
        if (element & 0x100u) element ^= 0x11du;
    }
    for (int p = 0; p < parities; ++p) {
        uint8_t* out = parity + (int64_t)p * length;
        for (int i = 0; i < length; ++i) out[i] = 0;
        for (int d = 0; d < pieces; ++d) {
            const uint8_t factor = coefficient[p * pieces + d];
            if (factor == 0) continue;
            const uint8_t* in = data + (int64_t)d * length;
            for (int i = 0; i < length; ++i)
                if (in[i] != 0) out[i] ^= power[logarithm[factor] + logarithm[in[i]]];
        }
    }
}
