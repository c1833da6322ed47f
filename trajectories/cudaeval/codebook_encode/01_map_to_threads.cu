// Nearest codewords: one vector a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void encode(int n, const int8_t* codebook, const int8_t* vector, uint8_t* code, int32_t* error) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int least = 0x7fffffff, nearest = 0;
    for (int c = 0; c < 256; ++c) {
        int sum = 0;
        for (int k = 0; k < 16; ++k) {
            const int difference = vector[16LL * i + k] - codebook[16 * c + k];
            sum += difference * difference;
        }
        if (sum < least) {
            least = sum;
            nearest = c;
        }
    }
    code[i] = (uint8_t)nearest;
    error[i] = least;
}

extern "C" void codebook_encode(int n, const int8_t* codebook, const int8_t* vector, uint8_t* code, int32_t* error) {
    encode<<<(n - 1) / 128 + 1, 128>>>(n, codebook, vector, code, error);
}
