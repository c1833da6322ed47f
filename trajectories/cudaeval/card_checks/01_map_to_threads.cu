// Card numbers: one number a thread, an atomic for each that passes.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void check(int cards, const uint8_t* numbers, const uint8_t* length, uint8_t* valid, int* by_first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cards) return;
    const uint8_t* digits = numbers + 19ll * i;
    int sum = 0;
    for (int k = 1; k <= length[i]; ++k) {
        int d = digits[length[i] - k];
        if (k % 2 == 0) d = 2 * d > 9 ? 2 * d - 9 : 2 * d;
        sum += d;
    }
    valid[i] = sum % 10 == 0;
    if (sum % 10 == 0) atomicAdd(&by_first[digits[0]], 1);
}

extern "C" void card_checks(int cards, const uint8_t* numbers, const uint8_t* length, uint8_t* valid, int32_t* by_first) {
    cudaMemsetAsync(by_first, 0, 10 * sizeof(int32_t));
    check<<<(cards + 255) / 256, 256>>>(cards, numbers, length, valid, by_first);
}
