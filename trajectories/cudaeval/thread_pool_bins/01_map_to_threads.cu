// Task graph: rounds over all jobs, one a thread; a second kernel shows the next round which jobs are done.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void start(int jobs, int32_t* level, int32_t* width, int* mark, int* done) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= jobs) return;
    level[j] = -1;
    width[j] = 0;
    mark[j] = 0;
    if (j == 0) *done = 0;
}

// A job whose prerequisites all have levels from rounds before.
__global__ void round_of(int jobs, const int32_t* row, const int32_t* need, const int32_t* cost, const int32_t* level, int64_t* finish, int* mark) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= jobs || level[j] >= 0) return;
    long long ready = 0;
    for (int k = row[j]; j > 0 && k < row[j + 1]; ++k) {
        const int before = j - 1 - need[k] % j;
        if (level[before] < 0) return;
        ready = max(ready, (long long)finish[before]);
    }
    finish[j] = ready + cost[j];
    mark[j] = 1;
}

__global__ void publish(int jobs, int round, const int* mark, int32_t* level, int32_t* width, int* done) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= jobs || level[j] >= 0 || !mark[j]) return;
    level[j] = round;
    atomicAdd(&width[round], 1);
    atomicAdd(done, 1);
}

extern "C" void thread_pool_bins(int jobs, int, const int32_t* row_start, const int32_t* need, const int32_t* cost, int32_t* level, int64_t* finish,
                                 int32_t* width) {
    const int blocks = (jobs + 255) / 256;
    int *done = nullptr, *mark = nullptr, host = 0;
    cudaMallocAsync(&done, sizeof(int), 0);
    cudaMallocAsync(&mark, sizeof(int) * jobs, 0);
    start<<<blocks, 256>>>(jobs, level, width, mark, done);
    for (int round = 0; host < jobs; ++round) {
        round_of<<<blocks, 256>>>(jobs, row_start, need, cost, level, finish, mark);
        publish<<<blocks, 256>>>(jobs, round, mark, level, width, done);
        cudaMemcpy(&host, done, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFreeAsync(done, 0);
    cudaFreeAsync(mark, 0);
}
