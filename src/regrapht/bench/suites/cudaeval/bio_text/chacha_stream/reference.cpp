#include <cstdint>
#include <cstring>

#define ROTATE(v, n) (((v) << (n)) | ((v) >> (32 - (n))))
#define QUARTER(a, b, c, d)                        \
    do {                                           \
        (a) += (b); (d) ^= (a); (d) = ROTATE(d, 16); \
        (c) += (d); (b) ^= (c); (b) = ROTATE(b, 12); \
        (a) += (b); (d) ^= (a); (d) = ROTATE(d, 8);  \
        (c) += (d); (b) ^= (c); (b) = ROTATE(b, 7);  \
    } while (0)

void chacha_stream(int blocks, uint32_t counter, const uint32_t *key, const uint32_t *nonce, const uint32_t *text, uint32_t *cipher)
{
    uint32_t first[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
    memcpy(first + 4, key, 32);
    memcpy(first + 13, nonce, 12);
    for (int b = 0; b < blocks; b++) {
        uint32_t s[16];
        first[12] = counter + (uint32_t)b;
        memcpy(s, first, sizeof s);
        for (int round = 0; round < 10; round++) {
            QUARTER(s[0], s[4], s[8], s[12]);
            QUARTER(s[1], s[5], s[9], s[13]);
            QUARTER(s[2], s[6], s[10], s[14]);
            QUARTER(s[3], s[7], s[11], s[15]);
            QUARTER(s[0], s[5], s[10], s[15]);
            QUARTER(s[1], s[6], s[11], s[12]);
            QUARTER(s[2], s[7], s[8], s[13]);
            QUARTER(s[3], s[4], s[9], s[14]);
        }
        for (int w = 0; w < 16; w++) cipher[16 * (size_t)b + w] = text[16 * (size_t)b + w] ^ (s[w] + first[w]);
    }
}
