// Task graph: lanes of a warp take their places in the next list by one atomic, and those done count once.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void start(int jobs, int32_t* level, int32_t* width, int* mark, int* list, int* left) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= jobs) return;
    level[j] = -1;
    width[j] = 0;
    mark[j] = 0;
    list[j] = j;
    if (j == 0) *left = 0;
}

// A job whose prerequisites all have levels from rounds before.
__global__ void round_of(int waiting, const int* list, const int32_t* row, const int32_t* need, const int32_t* cost, const int32_t* level, int64_t* finish, int* mark) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= waiting) return;
    const int j = list[at];
    long long ready = 0;
    for (int k = row[j]; j > 0 && k < row[j + 1]; ++k) {
        const int before = j - 1 - need[k] % j;
        if (level[before] < 0) return;
        ready = max(ready, (long long)finish[before]);
    }
    finish[j] = ready + cost[j];
    mark[j] = 1;
}

// Jobs that are done get their level, the others go into the next list.
__global__ void publish(int waiting, int round, const int* list, const int* mark, int32_t* level, int32_t* width, int* later, int* left) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int j = at < waiting ? list[at] : 0;
    const bool done = at < waiting && mark[j], waits = at < waiting && !done;
    const unsigned all = 0xffffffffu, delayed = __ballot_sync(all, waits), ended = __ballot_sync(all, done);
    int place = 0;
    if (lane == 0) {
        if (delayed) place = atomicAdd(left, __popc(delayed));
        if (ended) atomicAdd(&width[round], __popc(ended));
    }
    place = __shfl_sync(all, place, 0) + __popc(delayed & ((1u << lane) - 1));
    if (waits) later[place] = j;
    if (done) level[j] = round;
}

extern "C" void thread_pool_bins(int jobs, int, const int32_t* row_start, const int32_t* need, const int32_t* cost, int32_t* level, int64_t* finish,
                                 int32_t* width) {
    const int blocks = (jobs + 255) / 256;
    int *left = nullptr, *mark = nullptr, *list[2] = {}, waiting = jobs;
    cudaMallocAsync(&left, sizeof(int), 0);
    cudaMallocAsync(&mark, sizeof(int) * jobs, 0);
    for (int k = 0; k < 2; ++k) cudaMallocAsync(&list[k], sizeof(int) * jobs, 0);
    start<<<blocks, 256>>>(jobs, level, width, mark, list[0], left);
    for (int round = 0; waiting > 0; ++round) {
        const int now = round % 2, grid = (waiting + 255) / 256;
        round_of<<<grid, 256>>>(waiting, list[now], row_start, need, cost, level, finish, mark);
        cudaMemsetAsync(left, 0, sizeof(int));
        publish<<<grid, 256>>>(waiting, round, list[now], mark, level, width, list[1 - now], left);
        cudaMemcpy(&waiting, left, sizeof(int), cudaMemcpyDeviceToHost);
    }
    for (int k = 0; k < 2; ++k) cudaFreeAsync(list[k], 0);
    cudaFreeAsync(left, 0);
    cudaFreeAsync(mark, 0);
}
