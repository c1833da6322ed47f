// Threads: early messages are above nearly all others: those among the first 512 are counted in shared memory, block by block.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kEarly = 512, kTurns = 8;

__global__ void climb(int messages, const int* __restrict__ back, int* __restrict__ depth, int* __restrict__ thread, int* answers, int* deepest) {
    __shared__ int early[kEarly];
    for (int k = threadIdx.x; k < kEarly; k += 256) early[k] = 0;
    __syncthreads();
    int most = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
        const int i = (blockIdx.x * kTurns + turn) * 256 + threadIdx.x;
        if (i >= messages) break;
        int at = i, up = 0;
        for (int by = back[at]; by != 0 && by <= at; by = back[at]) {
            at -= by;
            if (at < kEarly) atomicAdd(&early[at], 1);
            else atomicAdd(&answers[at], 1);
            ++up;
        }
        depth[i] = up;
        thread[i] = at;
        most = max(most, up);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < min(kEarly, messages); k += 256)
        if (early[k]) atomicAdd(&answers[k], early[k]);
    most = __reduce_max_sync(0xffffffffu, most);
    if (threadIdx.x % 32 == 0) atomicMax(deepest, most);
}

extern "C" void reply_threads(int messages, const int32_t* back, int32_t* depth, int32_t* thread, int32_t* answers, int32_t* deepest) {
    cudaMemsetAsync(answers, 0, sizeof(int32_t) * messages);
    cudaMemsetAsync(deepest, 0, sizeof(int32_t));
    climb<<<(messages + 256 * kTurns - 1) / (256 * kTurns), 256>>>(messages, back, depth, thread, answers, deepest);
}
