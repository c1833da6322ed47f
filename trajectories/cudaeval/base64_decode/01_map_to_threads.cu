// Base64: one quad of characters a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ int sextet(int c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

__global__ void decode(int quads, const uint8_t* text, uint8_t* bytes, int* bad) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= quads) return;
    int value = 0;
    bool valid = true;
    for (int k = 0; k < 4; ++k) {
        const int digit = sextet(text[4 * (size_t)i + k]);
        valid = valid && digit >= 0;
        value = value << 6 | (digit & 63);
    }
    if (!valid) {
        value = 0;
        atomicAdd(bad, 1);
    }
    uint8_t* out = bytes + 3 * (size_t)i;
    out[0] = (uint8_t)(value >> 16);
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)value;
}

extern "C" void base64_decode(int quads, const uint8_t* text, uint8_t* bytes, int* bad) {
    cudaMemset(bad, 0, sizeof(int));
    decode<<<(quads - 1) / kThreads + 1, kThreads>>>(quads, text, bytes, bad);
}
