// Waiting times: one server a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void serve(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= servers) return;
    long long job = (long long)r * jobs;
    int waited = 0;
    wait[job] = 0;
    for (int t = 1; t < jobs; ++t, ++job) {
        waited = max(0, waited + work[job] - gap[job + 1]);
        wait[job + 1] = waited;
    }
}

extern "C" void queue_waits(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    serve<<<(servers - 1) / 32 + 1, 32>>>(servers, jobs, gap, work, wait);
}
