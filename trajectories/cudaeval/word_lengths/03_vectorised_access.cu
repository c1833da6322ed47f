#include <cuda_runtime.h>
#include <cstdint>

constexpr int kLongest = 63;

__device__ bool is_letter(unsigned byte) {
    unsigned lower = byte | 32u;
    return byte >= 128 || (lower >= 'a' && lower <= 'z') || byte == '\'';
}

constexpr int kThreads = 256, kOwn = 16, kRounds = 4, kChunk = kThreads * kOwn * kRounds;  // bytes of a block

// Which of the sixteen bytes from `first` on are letters, a bit each; none behind the end of the text.
__device__ unsigned letters(bool wide, long long bytes, const unsigned char* text, long long first) {
    unsigned mask = 0;
    if (wide && first + kOwn <= bytes) {
        uint4 four = *reinterpret_cast<const uint4*>(text + first);
        unsigned part[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < kOwn; ++k) mask |= (unsigned)is_letter(part[k / 4] >> (8 * (k % 4)) & 255u) << k;
    } else {
        for (int k = 0; k < kOwn && first + k < bytes; ++k) mask |= (unsigned)is_letter(text[first + k]) << k;
    }
    return mask;
}

// A thread takes sixteen bytes in one load, turns them into bits and reads the words that begin there off the bits.
__global__ void count(bool wide, long long bytes, const unsigned char* __restrict__ text, unsigned* words) {
    __shared__ unsigned local[kLongest + 1];
    if (threadIdx.x <= kLongest) local[threadIdx.x] = 0;
    __syncthreads();
    for (int round = 0; round < kRounds; ++round) {
        long long first = (long long)blockIdx.x * kChunk + (round * kThreads + threadIdx.x) * kOwn;
        if (first >= bytes) break;
        unsigned mask = letters(wide, bytes, text, first);
        bool inside = first > 0 && is_letter(text[first - 1]);
        unsigned starts = mask & ~(mask << 1 | (unsigned)inside);
        for (; starts != 0; starts &= starts - 1) {
            int from = __ffs((int)starts) - 1;
            int length = __ffs((int)~(mask >> from)) - 1;  // bits above the sixteenth are 0, so there is an end
            if (from + length == kOwn)  // it may go on in the next sixteen bytes
                while (first + from + length < bytes && length < kLongest && is_letter(text[first + from + length])) ++length;
            atomicAdd(local + (length < kLongest ? length : kLongest), 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x <= kLongest && local[threadIdx.x] > 0) atomicAdd(words + threadIdx.x, local[threadIdx.x]);
}

extern "C" void word_lengths(long long bytes, const unsigned char* text, unsigned* words) {
    cudaMemsetAsync(words, 0, (kLongest + 1) * sizeof(unsigned));
    bool wide = reinterpret_cast<uintptr_t>(text) % 16 == 0;
    if (bytes > 0) count<<<(unsigned)((bytes + kChunk - 1) / kChunk), kThreads>>>(wide, bytes, text, words);
}
