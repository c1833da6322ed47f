// CRC-32: a table of 256 words in shared memory does a byte in one step.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t advanced(uint32_t value) {
    for (int k = 0; k < 8; ++k) value = value & 1 ? (value >> 1) ^ 0xedb88320u : value >> 1;
    return value;
}

__global__ void checksums(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* crc) {
    __shared__ uint32_t table[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) table[k] = advanced(k);
    __syncthreads();
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= messages) return;
    uint32_t value = 0xffffffffu;
    for (int i = 0; i < length[m]; ++i) value = (value >> 8) ^ table[(value ^ data[(size_t)m * width + i]) & 255];
    crc[m] = ~value;
}

extern "C" void crc32_messages(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* crc) {
    checksums<<<(messages + 127) / 128, 128>>>(messages, width, data, length, crc);
}
