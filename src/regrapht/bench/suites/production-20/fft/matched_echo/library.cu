// cuFFT: echoes and shape padded to a power of two, multiplied, and back.
#include <cuda_runtime.h>
#include <cufft.h>

#include <cstdlib>

struct Sample {
    float re, im;
};

static void must(cufftResult result) {
    if (result != CUFFT_SUCCESS) abort();
}

__global__ void pad(size_t all, int size, int samples, const float2* in, float2* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all) out[i] = (int)(i % size) < samples ? in[i / size * samples + i % size] : make_float2(0.0f, 0.0f);
}

__global__ void multiply(size_t all, int size, const float2* shape, float2* echo) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= all) return;
    const float2 s = shape[i % size], e = echo[i];
    echo[i] = make_float2((s.x * e.x + s.y * e.y) / size, (s.x * e.y - s.y * e.x) / size);
}

__global__ void cut(size_t all, int size, int samples, const float2* in, float2* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all) out[i] = in[i / samples * size + i % samples];
}

extern "C" void matched_echo(int pulses, int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    int size = 2;
    while (size < samples + taps) size *= 2;
    static cufftHandle many = 0, one = 0;
    static int known[2] = {0, 0};
    if (known[0] != size || known[1] != pulses) {
        if (known[0]) {
            cufftDestroy(many);
            cufftDestroy(one);
        }
        must(cufftPlan1d(&many, size, CUFFT_C2C, pulses));
        must(cufftPlan1d(&one, size, CUFFT_C2C, 1));
        known[0] = size;
        known[1] = pulses;
    }
    const size_t all = (size_t)pulses * size, kept = (size_t)pulses * samples;
    float2 *wide = nullptr, *pulse = nullptr;
    cudaMallocAsync(&wide, sizeof(float2) * all, 0);
    cudaMallocAsync(&pulse, sizeof(float2) * size, 0);
    pad<<<(unsigned)((all + 255) / 256), 256>>>(all, size, samples, reinterpret_cast<const float2*>(echo), wide);
    pad<<<(size + 255) / 256, 256>>>(size, size, taps, reinterpret_cast<const float2*>(shape), pulse);
    must(cufftExecC2C(many, wide, wide, CUFFT_FORWARD));
    must(cufftExecC2C(one, pulse, pulse, CUFFT_FORWARD));
    multiply<<<(unsigned)((all + 255) / 256), 256>>>(all, size, pulse, wide);
    must(cufftExecC2C(many, wide, wide, CUFFT_INVERSE));
    cut<<<(unsigned)((kept + 255) / 256), 256>>>(kept, size, samples, wide, reinterpret_cast<float2*>(filtered));
    cudaFreeAsync(wide, 0);
    cudaFreeAsync(pulse, 0);
}
