#include <array>
#include <cstdint>

using Block = std::array<uint8_t, 16>;

static uint8_t doubled(uint8_t x) { return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

static Block encrypted(Block state, const uint8_t* key, const uint8_t* sbox)
{
    for (int i = 0; i < 16; ++i) state[i] ^= key[i];
    for (int round = 1; round <= 10; ++round) {
        Block next;
        for (int c = 0; c < 4; ++c)
            for (int r = 0; r < 4; ++r) next[4 * c + r] = sbox[state[4 * ((c + r) % 4) + r]];  // bytes replaced, rows shifted
        if (round < 10) {
            for (int c = 0; c < 4; ++c) {
                uint8_t* b = &next[4 * c];
                const uint8_t all = b[0] ^ b[1] ^ b[2] ^ b[3], first = b[0];
                for (int r = 0; r < 4; ++r) b[r] ^= (uint8_t)(all ^ doubled(b[r] ^ (r < 3 ? b[r + 1] : first)));
            }
        }
        for (int i = 0; i < 16; ++i) state[i] = next[i] ^ key[16 * round + i];
    }
    return state;
}

void aes_counter(int blocks, const uint8_t* round_key, const uint8_t* sbox, const uint8_t* nonce, const uint8_t* plain, uint8_t* cipher)
{
    for (int n = 0; n < blocks; ++n) {
        Block counter;
        for (int i = 0; i < 8; ++i) {
            counter[i] = nonce[i];
            counter[8 + i] = (uint8_t)((uint64_t)n >> (56 - 8 * i));
        }
        const Block stream = encrypted(counter, round_key, sbox);
        for (int i = 0; i < 16; ++i) cipher[16 * (long)n + i] = plain[16 * (long)n + i] ^ stream[i];
    }
}
