#include <cstdint>

// Turns rows of membership bits into columns, and counts the members of each.
void bit_columns(int rows, int words, const uint32_t* row_bits, uint32_t* column_bits, int32_t* members) {
    const int column_words = (rows + 31) / 32;
    for (int c = 0; c < 32 * words; ++c) {
        uint32_t* column = column_bits + (int64_t)c * column_words;
        int32_t count = 0;
        for (int w = 0; w < column_words; ++w) {
            uint32_t gathered = 0;
            for (int b = 0; b < 32 && 32 * w + b < rows; ++b)
                gathered |= (row_bits[(int64_t)(32 * w + b) * words + c / 32] >> (c % 32) & 1) << b;
            column[w] = gathered;
            count += __builtin_popcount(gathered);
        }
        members[c] = count;
    }
}
