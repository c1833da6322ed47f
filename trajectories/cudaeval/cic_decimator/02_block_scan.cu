// Decimator: a warp takes a channel; each integrator is a scan over 32 samples, sums of all blocks' ends wait in scratch for the combs.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t up_to(uint32_t value) {
    for (int apart = 1; apart < 32; apart *= 2) {
        const uint32_t left = __shfl_up_sync(0xffffffffu, value, apart);
        if (threadIdx.x % 32 >= apart) value += left;
    }
    return value;
}

__global__ void integrate(int channels, int blocks, int rate, const int* samples, uint32_t* integrator, uint32_t* ends) {
    const int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (c >= channels) return;
    const int total = blocks * rate;
    const int* in = samples + (size_t)c * total;
    uint32_t s[4];
    for (int k = 0; k < 4; ++k) s[k] = integrator[4 * c + k];
    for (int part = 0; part < total; part += 32) {
        const int i = part + lane, last = min(31, total - part - 1);
        uint32_t value = i < total ? (uint32_t)in[i] : 0;
        for (int k = 0; k < 4; ++k) {
            value = up_to(value) + s[k];
            s[k] = __shfl_sync(0xffffffffu, value, last);
        }
        if (i < total && (i + 1) % rate == 0) ends[(size_t)c * blocks + i / rate] = value;
    }
    __syncwarp();
    if (lane < 4) integrator[4 * c + lane] = lane == 0 ? s[0] : lane == 1 ? s[1] : lane == 2 ? s[2] : s[3];
}

__global__ void difference(int channels, int blocks, int shift, const uint32_t* ends, uint32_t* comb, int* out) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    for (int b = 0; b < blocks; ++b) {
        uint32_t value = ends[(size_t)c * blocks + b];
        for (int k = 0; k < 4; ++k) {
            const uint32_t before = comb[4 * c + k];
            comb[4 * c + k] = value;
            value -= before;
        }
        out[(size_t)c * blocks + b] = (int)value >> shift;
    }
}

extern "C" void cic_decimator(int channels, int blocks, int rate, int32_t shift, const int32_t* samples, uint32_t* integrator, uint32_t* comb, int32_t* out) {
    uint32_t* ends = nullptr;
    cudaMallocAsync(&ends, sizeof(uint32_t) * (size_t)channels * blocks, 0);
    integrate<<<(channels + 3) / 4, 128>>>(channels, blocks, rate, samples, integrator, ends);
    difference<<<(channels + 63) / 64, 64>>>(channels, blocks, shift, ends, comb, out);
    cudaFreeAsync(ends, 0);
}
