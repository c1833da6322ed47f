#include <cstdint>

class SipHash {
public:
    SipHash(uint64_t k0, uint64_t k1)
        : v0(k0 ^ 0x736f6d6570736575ull), v1(k1 ^ 0x646f72616e646f6dull), v2(k0 ^ 0x6c7967656e657261ull), v3(k1 ^ 0x7465646279746573ull) {}

    void absorb(uint64_t word)
    {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    uint64_t finish()
    {
        v2 ^= 0xff;
        for (int i = 0; i < 4; ++i) round();
        return v0 ^ v1 ^ v2 ^ v3;
    }

private:
    static uint64_t rotl(uint64_t x, int by) { return x << by | x >> (64 - by); }

    void round()
    {
        v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32);
        v2 += v3; v3 = rotl(v3, 16) ^ v2;
        v0 += v3; v3 = rotl(v3, 21) ^ v0;
        v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32);
    }

    uint64_t v0, v1, v2, v3;
};

void siphash_keys(int strings, int total, uint64_t k0, uint64_t k1, const int32_t* start, const uint8_t* bytes, uint64_t* hash)
{
    (void)total;
    for (int i = 0; i < strings; ++i) {
        SipHash state(k0, k1);
        const uint8_t* at = bytes + start[i];
        const int length = start[i + 1] - start[i];
        uint64_t word = 0;
        for (int b = 0; b < length; ++b) {
            word |= (uint64_t)at[b] << 8 * (b % 8);
            if (b % 8 == 7) {
                state.absorb(word);
                word = 0;
            }
        }
        state.absorb(word | (uint64_t)length << 56);
        hash[i] = state.finish();
    }
}
