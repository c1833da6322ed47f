#include <cstdint>

// Adler-32 of every chunk of a file (the last one may be shorter), as a synchronisation tool sends them.
void chunk_checksums(int64_t bytes, int32_t chunk, const uint8_t* data, uint32_t* sums) {
    for (int64_t begin = 0, k = 0; begin < bytes; begin += chunk, ++k) {
        uint32_t a = 1, b = 0;
        for (int64_t i = begin; i < begin + chunk && i < bytes; ++i) {
            a = (a + data[i]) % 65521;
            b = (b + a) % 65521;
        }
        sums[k] = b << 16 | a;
    }
}
