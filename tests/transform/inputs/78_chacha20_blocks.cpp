#include <cstdint>

// Key stream of ChaCha20: one block of sixteen words a counter value. `key` has eight words, `nonce` three.
#define ROTATE(v, by) (((v) << (by)) | ((v) >> (32 - (by))))
#define QUARTER(a, b, c, d)                           \
    do {                                              \
        s[a] += s[b]; s[d] = ROTATE(s[d] ^ s[a], 16); \
        s[c] += s[d]; s[b] = ROTATE(s[b] ^ s[c], 12); \
        s[a] += s[b]; s[d] = ROTATE(s[d] ^ s[a], 8);  \
        s[c] += s[d]; s[b] = ROTATE(s[b] ^ s[c], 7);  \
    } while (0)

void chacha20_blocks(uint32_t blocks, const uint32_t* key, const uint32_t* nonce, uint32_t* stream) {
    for (uint32_t block = 0; block < blocks; ++block) {
        uint32_t first[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u}, s[16];
        for (int i = 0; i < 8; ++i) first[4 + i] = key[i];
        first[12] = block;
        for (int i = 0; i < 3; ++i) first[13 + i] = nonce[i];
        for (int i = 0; i < 16; ++i) s[i] = first[i];
        for (int round = 0; round < 20; round += 2) {
            QUARTER(0, 4, 8, 12); QUARTER(1, 5, 9, 13); QUARTER(2, 6, 10, 14); QUARTER(3, 7, 11, 15);
            QUARTER(0, 5, 10, 15); QUARTER(1, 6, 11, 12); QUARTER(2, 7, 8, 13); QUARTER(3, 4, 9, 14);
        }
        for (int i = 0; i < 16; ++i) stream[16 * block + i] = s[i] + first[i];
    }
}
