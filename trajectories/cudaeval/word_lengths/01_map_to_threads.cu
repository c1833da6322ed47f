#include <cuda_runtime.h>
constexpr int kLongest = 63;

__device__ bool is_letter(unsigned byte) {
    unsigned lower = byte | 32u;
    return byte >= 128 || (lower >= 'a' && lower <= 'z') || byte == '\'';
}

// A thread a byte; the one at the beginning of a word walks to its end.
__global__ void count(long long bytes, const unsigned char* text, unsigned* words) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bytes || !is_letter(text[i]) || (i > 0 && is_letter(text[i - 1]))) return;
    long long end = i + 1;
    while (end < bytes && is_letter(text[end])) ++end;
    atomicAdd(words + (end - i < kLongest ? end - i : kLongest), 1u);
}

extern "C" void word_lengths(long long bytes, const unsigned char* text, unsigned* words) {
    cudaMemsetAsync(words, 0, (kLongest + 1) * sizeof(unsigned));
    if (bytes > 0) count<<<(unsigned)((bytes + 255) / 256), 256>>>(bytes, text, words);
}
