// CRC-32: four bytes a step by four tables, where rows are whole words.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t advanced(uint32_t value) {
    for (int k = 0; k < 8; ++k) value = value & 1 ? (value >> 1) ^ 0xedb88320u : value >> 1;
    return value;
}

__global__ void checksums(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* crc) {
    __shared__ uint32_t table[256], ahead[3][256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        uint32_t value = advanced(k);
        table[k] = value;
        for (int t = 0; t < 3; ++t) ahead[t][k] = value = advanced(value);
    }
    __syncthreads();
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= messages) return;
    uint32_t value = 0xffffffffu;
    const int words = width % 4 ? 0 : length[m] / 4;
    const uint32_t* word = reinterpret_cast<const uint32_t*>(data + (size_t)m * width);
    for (int w = 0; w < words; ++w) {
        value ^= word[w];
        value = ahead[2][value & 255] ^ ahead[1][value >> 8 & 255] ^ ahead[0][value >> 16 & 255] ^ table[value >> 24];
    }
    for (int i = 4 * words; i < length[m]; ++i) value = (value >> 8) ^ table[(value ^ data[(size_t)m * width + i]) & 255];
    crc[m] = ~value;
}

extern "C" void crc32_messages(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* crc) {
    checksums<<<(messages + 127) / 128, 128>>>(messages, width, data, length, crc);
}
