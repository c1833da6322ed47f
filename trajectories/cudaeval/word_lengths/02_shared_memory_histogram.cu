#include <cuda_runtime.h>
constexpr int kLongest = 63;

__device__ bool is_letter(unsigned byte) {
    unsigned lower = byte | 32u;
    return byte >= 128 || (lower >= 'a' && lower <= 'z') || byte == '\'';
}

constexpr int kThreads = 256, kChunk = 8192;  // bytes of a block

// A thread a byte at a time; the one at the beginning of a word walks to its end. Counts are gathered in shared memory.
__global__ void count(long long bytes, const unsigned char* text, unsigned* words) {
    __shared__ unsigned local[kLongest + 1];
    if (threadIdx.x <= kLongest) local[threadIdx.x] = 0;
    __syncthreads();
    long long first = (long long)blockIdx.x * kChunk, last = first + kChunk < bytes ? first + kChunk : bytes;
    for (long long i = first + threadIdx.x; i < last; i += kThreads) {
        if (!is_letter(text[i]) || (i > 0 && is_letter(text[i - 1]))) continue;
        long long end = i + 1;
        while (end < bytes && is_letter(text[end])) ++end;
        atomicAdd(local + (end - i < kLongest ? end - i : kLongest), 1u);
    }
    __syncthreads();
    if (threadIdx.x <= kLongest && local[threadIdx.x] > 0) atomicAdd(words + threadIdx.x, local[threadIdx.x]);
}

extern "C" void word_lengths(long long bytes, const unsigned char* text, unsigned* words) {
    cudaMemsetAsync(words, 0, (kLongest + 1) * sizeof(unsigned));
    if (bytes > 0) count<<<(unsigned)((bytes + kChunk - 1) / kChunk), kThreads>>>(bytes, text, words);
}
