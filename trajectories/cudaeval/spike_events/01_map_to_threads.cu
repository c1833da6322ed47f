// Spikes: tests and writing with one sample a thread; one thread finds the places.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool spike(int t, int n, int threshold, const int16_t* sample) {
    if (t <= 0 || t >= n - 1) return false;
    const int16_t mine = sample[t];
    return mine > threshold && mine > sample[t - 1] && mine >= sample[t + 1];
}

__global__ void test(int n, int threshold, const int16_t* sample, uint8_t* found) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) found[t] = spike(t, n, threshold, sample);
}

__global__ void number(int n, const uint8_t* found, int32_t* place, int32_t* count) {
    int so_far = 0;
    for (int t = 0; t < n; ++t) {
        place[t] = so_far;
        so_far += found[t];
    }
    *count = so_far;
}

__global__ void write(int n, const int16_t* sample, const uint8_t* found, const int32_t* place, int32_t* at, int16_t* height) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n || !found[t]) return;
    at[place[t]] = t;
    height[place[t]] = sample[t];
}

extern "C" void spike_events(int n, int threshold, const int16_t* sample, int32_t* at, int16_t* height, int32_t* count) {
    uint8_t* found = nullptr;
    int32_t* place = nullptr;
    cudaMalloc(&found, n);
    cudaMalloc(&place, sizeof(int32_t) * n);
    test<<<(n - 1) / 256 + 1, 256>>>(n, threshold, sample, found);
    number<<<1, 1>>>(n, found, place, count);
    write<<<(n - 1) / 256 + 1, 256>>>(n, sample, found, place, at, height);
    cudaFree(found);
    cudaFree(place);
}
