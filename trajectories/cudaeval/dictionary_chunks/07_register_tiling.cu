// Dictionary encoding of chunks: a thread keeps eight neighbouring places of the sort in registers. Most steps of the network are within a
// thread or between lanes, and only those across warps pass through shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMost = 2048;  // rows of a chunk
constexpr int kOwn = 8, kThreads = kMost / kOwn;
constexpr unsigned kAll = 0xffffffffu;

__device__ int chosen(int mine, int other, bool larger) { return larger ? max(mine, other) : min(mine, other); }

// The steps of a merge of kWidth places within a thread. `falling`: the places that hold these eight are sorted downwards.
template <int kWidth>
__device__ void merge_own(int (&own)[kOwn], bool falling) {
#pragma unroll
    for (int apart = kWidth / 2; apart > 0; apart /= 2) {
#pragma unroll
        for (int j = 0; j < kOwn; ++j) {
            if (j & apart) continue;
            const bool down = kWidth < kOwn ? (j & kWidth) != 0 : falling;
            const int a = own[j], b = own[j + apart];
            own[j] = chosen(a, b, down);
            own[j + apart] = chosen(a, b, !down);
        }
    }
}

// Sorts the places of all threads ascending, by a bitonic network; their number is a power of two.
__device__ void sort(int (&own)[kOwn]) {
    __shared__ int4 list[2][kThreads];
    const int t = threadIdx.x;
    merge_own<2>(own, false);
    merge_own<4>(own, false);
    merge_own<8>(own, t & 1);
    for (int width = 2; width <= (int)blockDim.x; width *= 2) {  // threads of a merge
        const bool falling = t & width;
        int apart = width / 2;
        for (; apart >= 32; apart /= 2) {
            list[0][t] = make_int4(own[0], own[1], own[2], own[3]);
            list[1][t] = make_int4(own[4], own[5], own[6], own[7]);
            __syncthreads();
            const int4 low = list[0][t ^ apart], high = list[1][t ^ apart];
            const int other[kOwn] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
            for (int j = 0; j < kOwn; ++j) own[j] = chosen(own[j], other[j], falling != ((t & apart) != 0));
            __syncthreads();
        }
        for (; apart > 0; apart /= 2) {
#pragma unroll
            for (int j = 0; j < kOwn; ++j) {
                const int other = __shfl_xor_sync(kAll, own[j], apart);
                own[j] = chosen(own[j], other, falling != ((t & apart) != 0));
            }
        }
        merge_own<kOwn>(own, falling);
    }
}

// The sum over all threads before this one; *all gets that of the block.
__device__ int sum_before(int mine, int* all) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    int sum = mine;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int left = __shfl_up_sync(kAll, sum, apart);
        if (lane >= apart) sum += left;
    }
    if (lane == 31) part[warp] = sum;
    __syncthreads();
    *all = 0;
    int before = sum - mine;
    for (int w = 0; w < warps; ++w) {
        if (w < warp) before += part[w];
        *all += part[w];
    }
    return before;
}

// A block has a chunk. Its sorted rows, without repetitions, are the dictionary, in which each row looks itself up.
__global__ void encode(int width, const int32_t* value, int32_t* dictionary, int32_t* distinct, uint16_t* code) {
    __shared__ int words[kMost], last[kThreads];
    const int t = threadIdx.x, threads = blockDim.x, size = kOwn * threads;
    const long long start = (long long)blockIdx.x * width;
    int own[kOwn];
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
        const int i = j * threads + t;
        own[j] = i < width ? value[start + i] : 0x7fffffff;
    }
    sort(own);
    last[t] = own[kOwn - 1];
    __syncthreads();
    bool is_new[kOwn];
    int news = 0, count;
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
        const int i = kOwn * t + j;
        is_new[j] = i < width && (i == 0 || own[j] != (j > 0 ? own[j - 1] : last[t - 1]));
        news += is_new[j];
    }
    int place = sum_before(news, &count);
#pragma unroll
    for (int j = 0; j < kOwn; ++j) {
        if (is_new[j]) words[place++] = own[j];
    }
    __syncthreads();
    for (int i = t; i < width; i += threads) {
        const int wanted = value[start + i];
        int found = 0;
        for (int step = size / 2; step > 0; step /= 2)
            if (found + step < count && words[found + step] <= wanted) found += step;
        code[start + i] = (uint16_t)found;
        dictionary[start + i] = i < count ? words[i] : 0;
    }
    if (t == 0) distinct[blockIdx.x] = count;
}

extern "C" void dictionary_chunks(int chunks, int width, const int32_t* value, int32_t* dictionary, int32_t* distinct,
                                  uint16_t* code) {
    int threads = 32;
    while (kOwn * threads < width) threads *= 2;
    encode<<<chunks, threads>>>(width, value, dictionary, distinct, code);
}
