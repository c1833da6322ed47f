// Tones of models: values are looked up in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// The sum over this thread and those before it in the block.
__device__ int running_sum(int value) {
    __shared__ int sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] += lower;
        __syncthreads();
    }
    return sum[threadIdx.x];
}

// What value `threadIdx.x` becomes, where so many of the tile and of the model have that value.
__device__ uint8_t matching(int own, int wanted) {
    __shared__ int upto[256];
    const int mine = running_sum(own);
    upto[threadIdx.x] = running_sum(wanted);
    __syncthreads();
    int h = 0;
    for (int step = 128; step > 0; step /= 2)
        if (upto[h + step - 1] < mine) h += step;
    return h;
}

// A block a tile, whose counts and table are in shared memory.
__global__ void transfer(int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    __shared__ int own[256], wanted[256];
    __shared__ uint8_t table[256];
    const long long tile = (long long)blockIdx.x * n;
    own[threadIdx.x] = wanted[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) {
        atomicAdd(own + grey[tile + i], 1);
        atomicAdd(wanted + model[tile + i], 1);
    }
    __syncthreads();
    table[threadIdx.x] = matching(own[threadIdx.x], wanted[threadIdx.x]);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) matched[tile + i] = table[grey[tile + i]];
}

extern "C" void tone_transfer(int tiles, int n, const uint8_t* grey, const uint8_t* model, uint8_t* matched) {
    transfer<<<tiles, kThreads>>>(n, grey, model, matched);
}
