// Packed decimals: one amount a thread, digit by digit.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pack(int n, int width, const int64_t* amounts, uint8_t* packed, uint8_t* too_long) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const long long amount = amounts[i];
    unsigned long long rest = amount < 0 ? 0 - (unsigned long long)amount : amount;
    int nibble = amount < 0 ? 13 : 12;
    for (int b = width - 1; b >= 0; --b) {
        const int high = rest % 10;
        rest /= 10;
        packed[(long long)i * width + b] = high << 4 | nibble;
        if (b > 0) {
            nibble = rest % 10;
            rest /= 10;
        }
    }
    too_long[i] = rest != 0;
}

extern "C" void packed_decimals(int n, int width, const int64_t* amounts, uint8_t* packed, uint8_t* too_long) {
    pack<<<(n + 127) / 128, 128>>>(n, width, amounts, packed, too_long);
}
