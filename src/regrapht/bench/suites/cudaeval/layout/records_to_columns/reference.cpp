#include <cstddef>
#include <cstdint>

static uint64_t little_endian(const uint8_t* byte, int count) {
    uint64_t value = 0;
    while (count > 0) value = value << 8 | byte[--count];
    return value;
}

static uint8_t upper(uint8_t letter) { return letter >= 'a' && letter <= 'z' ? (uint8_t)(letter - 32) : letter; }

void records_to_columns(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word, uint32_t* valid) {
    const size_t words = ((size_t)n + 31) / 32;
    for (size_t w = 0; w < 4 * words; ++w) valid[w] = 0;
    for (int i = 0; i < n; ++i) {
        const uint8_t* at = record + 24 * (size_t)i;
        const uint8_t missing = at[20];
        key[i] = missing & 1 ? 0 : (int64_t)little_endian(at, 8);
        bits[i] = missing & 2 ? 0 : (uint32_t)little_endian(at + 8, 4);
        code[i] = missing & 4 ? 0 : (int32_t)little_endian(at + 12, 4);
        uint8_t letters[4];
        for (int k = 0; k < 4; ++k) letters[k] = upper(at[16 + k]);
        word[i] = missing & 8 ? 0 : (uint32_t)little_endian(letters, 4);
        for (int f = 0; f < 4; ++f) {
            if (!(missing >> f & 1)) valid[f * words + i / 32] |= 1u << (i % 32);
        }
    }
}
