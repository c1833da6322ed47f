// Base64: four quads a thread, 16 characters in one load and 12 bytes in three words; a warp counts its bad quads with one atomic.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ int sextet(int c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The three bytes of a quad, the first one lowest; -1 if a character is none of the 64.
__device__ int quad_of(unsigned int characters) {
    int value = 0, every = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int digit = sextet(characters >> 8 * k & 255);
        every |= digit;
        value = value << 6 | (digit & 63);
    }
    return every < 0 ? -1 : (value >> 16 & 255) | (value & 0xff00) | (value & 255) << 16;
}

__global__ void decode_four(int quads, const uint4* __restrict__ text, unsigned int* __restrict__ bytes, int* bad) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    int wrong = 0;
    if (i < quads / 4) {
        const uint4 c = text[i];
        int q[4] = {quad_of(c.x), quad_of(c.y), quad_of(c.z), quad_of(c.w)};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (q[k] >= 0) continue;
            q[k] = 0;
            ++wrong;
        }
        bytes[3 * (size_t)i] = q[0] | (unsigned int)q[1] << 24;
        bytes[3 * (size_t)i + 1] = q[1] >> 8 | q[2] << 16;
        bytes[3 * (size_t)i + 2] = q[2] >> 16 | q[3] << 8;
    }
    wrong = __reduce_add_sync(0xffffffffu, wrong);
    if (threadIdx.x % 32 == 0 && wrong > 0) atomicAdd(bad, wrong);
}

// One quad a thread, from `first` on: what is left of fours, or everything where pointers are not aligned.
__global__ void decode_single(int first, int quads, const uint8_t* text, uint8_t* bytes, int* bad) {
    const int i = first + blockIdx.x * kThreads + threadIdx.x;
    if (i >= quads) return;
    const uint8_t* c = text + 4 * (size_t)i;
    int q = quad_of(c[0] | c[1] << 8 | c[2] << 16 | (unsigned int)c[3] << 24);
    if (q < 0) {
        q = 0;
        atomicAdd(bad, 1);
    }
    for (int k = 0; k < 3; ++k) bytes[3 * (size_t)i + k] = (uint8_t)(q >> 8 * k);
}

extern "C" void base64_decode(int quads, const uint8_t* text, uint8_t* bytes, int* bad) {
    cudaMemset(bad, 0, sizeof(int));
    int fours = quads / 4;
    if ((uintptr_t)text % 16 != 0 || (uintptr_t)bytes % 4 != 0) fours = 0;
    if (fours > 0) decode_four<<<(fours - 1) / kThreads + 1, kThreads>>>(quads, (const uint4*)text, (unsigned int*)bytes, bad);
    const int rest = quads - 4 * fours;
    if (rest > 0) decode_single<<<(rest - 1) / kThreads + 1, kThreads>>>(4 * fours, quads, text, bytes, bad);
}
