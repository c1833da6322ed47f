// Nearest codewords: a vector or codeword is loaded at once, and the thread's vector stays in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128, kCodes = 256;

// Four words of four components. `kWide`: the array begins at a multiple of 16 bytes.
template <bool kWide>
__device__ int4 load(const int8_t* from) {
    if (kWide) return *(const int4*)from;
    unsigned word[4] = {0, 0, 0, 0};
    for (int k = 0; k < 16; ++k) word[k / 4] |= (unsigned)(uint8_t)from[k] << k % 4 * 8;
    return make_int4((int)word[0], (int)word[1], (int)word[2], (int)word[3]);
}

__device__ int apart_four(int a, int b) {
    int sum = 0;
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
        const int difference = (int8_t)(a >> shift) - (int8_t)(b >> shift);
        sum += difference * difference;
    }
    return sum;
}

__device__ int apart(int4 a, int4 b) { return apart_four(a.x, b.x) + apart_four(a.y, b.y) + apart_four(a.z, b.z) + apart_four(a.w, b.w); }

template <bool kWide>
__global__ void encode(int n, const int8_t* __restrict__ codebook, const int8_t* __restrict__ vector, uint8_t* __restrict__ code,
                       int32_t* __restrict__ error) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const int4 mine = load<kWide>(vector + 16LL * i);
    int least = 0x7fffffff, nearest = 0;
    for (int c = 0; c < kCodes; ++c) {
        const int sum = apart(mine, load<kWide>(codebook + 16 * c));
        if (sum < least) {
            least = sum;
            nearest = c;
        }
    }
    code[i] = (uint8_t)nearest;
    error[i] = least;
}

extern "C" void codebook_encode(int n, const int8_t* codebook, const int8_t* vector, uint8_t* code, int32_t* error) {
    if (((uintptr_t)codebook | (uintptr_t)vector) % 16 == 0)
        encode<true><<<(n - 1) / kThreads + 1, kThreads>>>(n, codebook, vector, code, error);
    else
        encode<false><<<(n - 1) / kThreads + 1, kThreads>>>(n, codebook, vector, code, error);
}
