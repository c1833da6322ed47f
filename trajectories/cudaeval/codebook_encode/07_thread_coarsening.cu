// Nearest codewords: a thread compares two vectors with each codeword that it reads.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128, kCodes = 256, kOwn = 2;

// Four words of four components. `kWide`: the array begins at a multiple of 16 bytes.
template <bool kWide>
__device__ int4 load(const int8_t* from) {
    if (kWide) return *(const int4*)from;
    unsigned word[4] = {0, 0, 0, 0};
    for (int k = 0; k < 16; ++k) word[k / 4] |= (unsigned)(uint8_t)from[k] << k % 4 * 8;
    return make_int4((int)word[0], (int)word[1], (int)word[2], (int)word[3]);
}

__device__ int dot(int4 a, int4 b) { return __dp4a(a.x, b.x, __dp4a(a.y, b.y, __dp4a(a.z, b.z, __dp4a(a.w, b.w, 0)))); }

template <bool kWide>
__global__ void encode(int n, const int8_t* __restrict__ codebook, const int8_t* __restrict__ vector, uint8_t* __restrict__ code,
                       int32_t* __restrict__ error) {
    __shared__ int4 codeword[kCodes];
    __shared__ int square[kCodes];
    for (int c = threadIdx.x; c < kCodes; c += kThreads) {
        codeword[c] = load<kWide>(codebook + 16 * c);
        square[c] = dot(codeword[c], codeword[c]) * kCodes + c;
    }
    __syncthreads();
    const int i = blockIdx.x * kOwn * kThreads + threadIdx.x;
    const int4 first = load<kWide>(vector + 16LL * min(i, n - 1)), second = load<kWide>(vector + 16LL * min(i + kThreads, n - 1));
    int least_first = 0x7fffffff, least_second = 0x7fffffff;  // distances without the vector's own square, times 256, and the code
    for (int c = 0; c < kCodes; ++c) {
        const int4 other = codeword[c];
        const int start = square[c];
        least_first = min(least_first, start - 2 * kCodes * dot(first, other));
        least_second = min(least_second, start - 2 * kCodes * dot(second, other));
    }
    if (i < n) {
        code[i] = (uint8_t)(least_first & (kCodes - 1));
        error[i] = (least_first >> 8) + dot(first, first);
    }
    if (i + kThreads < n) {
        code[i + kThreads] = (uint8_t)(least_second & (kCodes - 1));
        error[i + kThreads] = (least_second >> 8) + dot(second, second);
    }
}

extern "C" void codebook_encode(int n, const int8_t* codebook, const int8_t* vector, uint8_t* code, int32_t* error) {
    if (((uintptr_t)codebook | (uintptr_t)vector) % 16 == 0)
        encode<true><<<(n - 1) / (kOwn * kThreads) + 1, kThreads>>>(n, codebook, vector, code, error);
    else
        encode<false><<<(n - 1) / (kOwn * kThreads) + 1, kThreads>>>(n, codebook, vector, code, error);
}
