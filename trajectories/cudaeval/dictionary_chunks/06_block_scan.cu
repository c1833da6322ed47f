// Dictionary encoding of chunks: ballots count the new values of a warp.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 512, kMost = 2048;  // rows of a chunk

// Sorts 2^n values ascending, by a bitonic network.
__device__ void sort(int* list, int size) {
    for (int width = 2; width <= size; width *= 2) {
        for (int apart = width / 2; apart > 0; apart /= 2) {
            for (int p = threadIdx.x; p < size / 2; p += kThreads) {
                const int i = 2 * p - (p & (apart - 1)), j = i + apart;
                const int a = list[i], b = list[j];
                if ((a > b) == ((i & width) == 0)) {
                    list[i] = b;
                    list[j] = a;
                }
            }
            __syncthreads();
        }
    }
}

// The sum over all threads up to this one.
__device__ int running_sum(bool mine) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned who = __ballot_sync(0xffffffffu, mine);
    __syncthreads();
    if (lane == 0) part[warp] = __popc(who);
    __syncthreads();
    const int all = __reduce_add_sync(0xffffffffu, lane < warp ? part[lane] : 0);
    return all + __popc(who & (0xffffffffu >> (31 - lane)));
}

// A block has a chunk. Its sorted rows, without repetitions, are the dictionary, in which each row looks itself up.
__global__ void encode(int width, const int32_t* value, int32_t* dictionary, int32_t* distinct, uint16_t* code) {
    __shared__ int sorted[kMost], words[kMost], count;
    const long long start = (long long)blockIdx.x * width;
    int size = 1;
    while (size < width) size *= 2;
    for (int i = threadIdx.x; i < size; i += kThreads) sorted[i] = i < width ? value[start + i] : 0x7fffffff;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    sort(sorted, size);
    for (int first = 0; first < width; first += kThreads) {
        const int i = first + threadIdx.x;
        const bool is_new = i < width && (i == 0 || sorted[i] != sorted[i - 1]);
        const int place = count + running_sum(is_new);
        if (is_new) words[place - 1] = sorted[i];
        __syncthreads();
        if (threadIdx.x == kThreads - 1) count = place;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < width; i += kThreads) {
        const int wanted = value[start + i];
        int found = 0;
        for (int step = size / 2; step > 0; step /= 2)
            if (found + step < count && words[found + step] <= wanted) found += step;
        code[start + i] = (uint16_t)found;
        dictionary[start + i] = i < count ? words[i] : 0;
    }
    if (threadIdx.x == 0) distinct[blockIdx.x] = count;
}

extern "C" void dictionary_chunks(int chunks, int width, const int32_t* value, int32_t* dictionary, int32_t* distinct,
                                  uint16_t* code) {
    encode<<<chunks, kThreads>>>(width, value, dictionary, distinct, code);
}
