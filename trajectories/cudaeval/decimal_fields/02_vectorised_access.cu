// Decimal fields: a field is one word of eight characters, which is shifted out to the end.
#include <cuda_runtime.h>

#include <cstdint>

using Word = unsigned long long;  // the first character lowest; zeros follow what was shifted out

__device__ int first_of(Word word) { return (int)(word & 255); }

// `kWide`: the text begins at a multiple of eight bytes.
template <bool kWide>
__device__ Word load(const uint8_t* field) {
    if (kWide) return *(const Word*)field;
    Word word = 0;
    for (int k = 0; k < 8; ++k) word |= (Word)field[k] << 8 * k;
    return word;
}

template <bool kWide>
__global__ void read_fields(int fields, const uint8_t* __restrict__ text, int32_t* __restrict__ value, uint8_t* __restrict__ good) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fields) return;
    Word word = load<kWide>(text + 8LL * i);
    bool negative = false;
    int digits = 0, number = 0, left = 8;
    for (; left > 0 && first_of(word) == ' '; --left) word >>= 8;
    if (left > 0 && (first_of(word) == '-' || first_of(word) == '+')) {
        negative = first_of(word) == '-';
        word >>= 8;
        --left;
    }
    for (; left > 0 && first_of(word) >= '0' && first_of(word) <= '9'; --left, ++digits) {
        number = 10 * number + (first_of(word) - '0');
        word >>= 8;
    }
    for (; left > 0 && first_of(word) == ' '; --left) word >>= 8;
    const bool read = left == 0 && digits > 0;
    value[i] = read ? (negative ? -number : number) : 0;
    good[i] = read;
}

extern "C" void decimal_fields(int fields, const uint8_t* text, int32_t* value, uint8_t* good) {
    const int grid = (fields - 1) / 256 + 1;
    if ((uintptr_t)text % 8 == 0)
        read_fields<true><<<grid, 256>>>(fields, text, value, good);
    else
        read_fields<false><<<grid, 256>>>(fields, text, value, good);
}
