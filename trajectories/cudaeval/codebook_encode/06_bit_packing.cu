// Nearest codewords: distance and code share a word, so that the nearest one is a minimum.
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
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const int4 mine = load<kWide>(vector + 16LL * i);
    int least = 0x7fffffff;  // the distance without the vector's own square, times 256, and the code
    for (int c = 0; c < kCodes; ++c) least = min(least, square[c] - 2 * kCodes * dot(mine, codeword[c]));
    code[i] = (uint8_t)(least & (kCodes - 1));
    error[i] = (least >> 8) + dot(mine, mine);
}

extern "C" void codebook_encode(int n, const int8_t* codebook, const int8_t* vector, uint8_t* code, int32_t* error) {
    if (((uintptr_t)codebook | (uintptr_t)vector) % 16 == 0)
        encode<true><<<(n - 1) / kThreads + 1, kThreads>>>(n, codebook, vector, code, error);
    else
        encode<false><<<(n - 1) / kThreads + 1, kThreads>>>(n, codebook, vector, code, error);
}
