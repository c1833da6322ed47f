#include <cstdint>

void walsh_rows(int rows, int bits, int32_t* x, int64_t* energy)
{
    const int n = 1 << bits;  // the first n of a row's 1024 places
    for (int r = 0; r < rows; ++r) {
        int32_t* row = x + 1024l * r;
        for (int half = 1; half < n; half *= 2)
            for (int i = 0; i < n; i += 2 * half)
                for (int k = i; k < i + half; ++k) {
                    const int32_t a = row[k], b = row[k + half];
                    row[k] = a + b;
                    row[k + half] = a - b;
                }
        energy[r] = 0;
        for (int i = 0; i < n; ++i) {
            const int64_t value = row[i] >> bits;
            energy[r] += value * value;
        }
    }
}
