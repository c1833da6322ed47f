// Threads: a warp settles its greatest depth before one atomic.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void climb(int messages, const int* back, int* depth, int* thread, int* answers, int* deepest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i, up = 0;
    if (i < messages) {
        for (int by = back[at]; by != 0 && by <= at; by = back[at]) {
            at -= by;
            atomicAdd(&answers[at], 1);
            ++up;
        }
        depth[i] = up;
        thread[i] = at;
    }
    up = __reduce_max_sync(0xffffffffu, up);
    if (threadIdx.x % 32 == 0) atomicMax(deepest, up);
}

extern "C" void reply_threads(int messages, const int32_t* back, int32_t* depth, int32_t* thread, int32_t* answers, int32_t* deepest) {
    cudaMemsetAsync(answers, 0, sizeof(int32_t) * messages);
    cudaMemsetAsync(deepest, 0, sizeof(int32_t));
    climb<<<(messages + 255) / 256, 256>>>(messages, back, depth, thread, answers, deepest);
}
