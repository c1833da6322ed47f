// Matched filter: the block's echoes, those behind them and the shape stand in shared memory.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

__global__ void filter(int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    extern __shared__ float2 staged[];
    float2 *own = staged, *pulse = staged + 256 + taps;
    const int first = blockIdx.y * 256, n = first + threadIdx.x;
    const float2* in = reinterpret_cast<const float2*>(echo) + (size_t)blockIdx.x * samples;
    for (int i = threadIdx.x; i < 256 + taps; i += 256) own[i] = first + i < samples ? in[first + i] : make_float2(0.0f, 0.0f);
    for (int i = threadIdx.x; i < taps; i += 256) pulse[i] = make_float2(shape[i].re, shape[i].im);
    __syncthreads();
    if (n >= samples) return;
    float2 sum = make_float2(0.0f, 0.0f);
    for (int k = 0; k < taps; ++k) {
        const float2 s = pulse[k], e = own[threadIdx.x + k];
        sum.x += s.x * e.x + s.y * e.y;
        sum.y += s.x * e.y - s.y * e.x;
    }
    reinterpret_cast<float2*>(filtered)[(size_t)blockIdx.x * samples + n] = sum;
}

extern "C" void matched_echo(int pulses, int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    filter<<<dim3(pulses, (samples + 255) / 256), 256, sizeof(float2) * (256 + 2 * taps)>>>(samples, taps, shape, echo, filtered);
}
