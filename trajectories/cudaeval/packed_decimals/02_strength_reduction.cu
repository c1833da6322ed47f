// Packed decimals: eight digits are cut off at once, and then taken apart in 32 bits.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pack(int n, int width, const int64_t* amounts, uint8_t* packed, uint8_t* too_long) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const long long amount = amounts[i];
    unsigned long long rest = amount < 0 ? 0 - (unsigned long long)amount : amount;
    unsigned part = 0;
    int left = 0, nibble = amount < 0 ? 13 : 12;
    for (int b = width - 1; b >= 0; --b) {
        if (left == 0) {
            const unsigned long long above = rest / 100000000ull;
            part = (unsigned)(rest - above * 100000000ull);
            rest = above;
            left = 8;
        }
        const unsigned tens = part / 10, hundreds = tens / 10;
        packed[(long long)i * width + b] = (part - 10 * tens) << 4 | nibble;
        nibble = tens - 10 * hundreds;
        part = b > 0 ? hundreds : tens;
        left -= 2;
    }
    too_long[i] = rest != 0 || part != 0;
}

extern "C" void packed_decimals(int n, int width, const int64_t* amounts, uint8_t* packed, uint8_t* too_long) {
    pack<<<(n + 127) / 128, 128>>>(n, width, amounts, packed, too_long);
}
