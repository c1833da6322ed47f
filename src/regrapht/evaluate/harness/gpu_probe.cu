// What this GPU is and what it can do at most, as one line of JSON. Run without any candidate; its output is trusted.
//
// Usage: gpu_probe health|peaks     health: identity and a small sum with a known answer; peaks: copy bandwidth and float32 rate as well.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

namespace {

void require(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

__global__ void sum_kernel(unsigned* total) { atomicAdd(total, blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void copy_kernel(const float4* from, float4* to, size_t count) {
    const size_t stride = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

constexpr int kChains = 8, kSteps = 4096;

__global__ void fma_kernel(float* out, float a, float b) {
    float x[kChains];
    for (int c = 0; c < kChains; ++c) x[c] = float(threadIdx.x + c);
    for (int s = 0; s < kSteps; ++s)
#pragma unroll
        for (int c = 0; c < kChains; ++c) x[c] = fmaf(x[c], a, b);
    float total = 0;
    for (int c = 0; c < kChains; ++c) total += x[c];
    if (total == 12345.678f) *out = total;
}

template <class F> double best_us(F launch) {
    cudaEvent_t start, stop;
    require(cudaEventCreate(&start), "event");
    require(cudaEventCreate(&stop), "event");
    double best = 1e30;
    for (int i = 0; i < 12; ++i) {
        require(cudaEventRecord(start), "event");
        launch();
        require(cudaEventRecord(stop), "event");
        require(cudaEventSynchronize(stop), "kernel");
        float ms = 0;
        require(cudaEventElapsedTime(&ms, start, stop), "event time");
        best = std::min(best, 1e3 * double(ms));
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    const bool peaks = argc > 1 && std::strcmp(argv[1], "peaks") == 0;
    cudaDeviceProp p;
    require(cudaGetDeviceProperties(&p, 0), "device");
    unsigned* total;
    require(cudaMalloc(&total, sizeof *total), "memory");
    require(cudaMemset(total, 0, sizeof *total), "memory");
    sum_kernel<<<64, 256>>>(total);
    unsigned sum = 0;
    require(cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost), "kernel");
    if (sum != 16384u * 16383u / 2) {
        std::fprintf(stderr, "a sum on the device is wrong\n");
        return 1;
    }
    int driver = 0, clock_khz = 0, memory_khz = 0;
    require(cudaDriverGetVersion(&driver), "driver");
    require(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0), "clock");
    require(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0), "clock");
    std::printf("{\"name\": \"%s\", \"major\": %d, \"minor\": %d, \"l2_bytes\": %d, \"processors\": %d, \"memory_bytes\": %zu, ", p.name,
                p.major, p.minor, p.l2CacheSize, p.multiProcessorCount, p.totalGlobalMem);
    std::printf("\"driver\": %d, \"clock_mhz\": %d, \"memory_clock_mhz\": %d, \"uuid\": \"", driver, clock_khz / 1000, memory_khz / 1000);
    for (int i = 0; i < 16; ++i) std::printf("%02x", (unsigned)(unsigned char)p.uuid.bytes[i]);
    std::printf("\"");
    if (peaks) {
        const size_t bytes = std::min<size_t>(size_t(1) << 30, p.totalGlobalMem / 8) / 16 * 16;
        float4 *from, *to;
        require(cudaMalloc(&from, bytes), "memory");
        require(cudaMalloc(&to, bytes), "memory");
        require(cudaMemset(from, 0, bytes), "memory");
        const double by_kernel = best_us([&] { copy_kernel<<<p.multiProcessorCount * 16, 512>>>(from, to, bytes / 16); });
        const double by_runtime = best_us([&] { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice); });
        const int blocks = p.multiProcessorCount * 8, threads = 256;
        const double fma_us = best_us([&] { fma_kernel<<<blocks, threads>>>(reinterpret_cast<float*>(to), 1.0001f, 0.5f); });
        std::printf(", \"bytes_per_us\": %.1f, \"flops_per_us\": %.1f", 2.0 * double(bytes) / std::min(by_kernel, by_runtime),
                    2.0 * kChains * kSteps * double(blocks) * threads / fma_us);
    }
    std::printf("}\n");
    return 0;
}
