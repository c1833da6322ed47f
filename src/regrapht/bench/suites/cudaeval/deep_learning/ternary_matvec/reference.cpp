#include <cstdint>

static int weight_at(const uint32_t* row, int i)
{
    switch (row[i / 16] >> (i % 16 * 2) & 3u) {
    case 1: return 1;
    case 2: return -1;
    default: return 0;
    }
}

void ternary_matvec(int batch, int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y)
{
    const int inputs = 16 * words;
    for (int b = 0; b < batch; ++b)
        for (int o = 0; o < outputs; ++o) {
            int32_t sum = 0;
            for (int i = 0; i < inputs; ++i) sum += weight_at(w + (long)o * words, i) * x[(long)b * inputs + i];
            y[(long)b * outputs + o] = (sum * scale[o]) >> 8;
        }
}
