// Matched filter: a thread makes four neighbouring outputs; an echo that was read serves all four.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

__global__ void filter(int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    extern __shared__ float2 staged[];
    float2 *own = staged, *pulse = staged + 1024 + taps;
    const int first = blockIdx.y * 1024, n = first + 4 * threadIdx.x;
    const float2* in = reinterpret_cast<const float2*>(echo) + (size_t)blockIdx.x * samples;
    for (int i = threadIdx.x; i < 1024 + taps; i += 256) own[i] = first + i < samples ? in[first + i] : make_float2(0.0f, 0.0f);
    for (int i = threadIdx.x; i < taps; i += 256) pulse[i] = make_float2(shape[i].re, shape[i].im);
    __syncthreads();
    if (n >= samples) return;
    float2 sum[4] = {}, window[4];
    for (int i = 0; i < 3; ++i) window[i] = own[4 * threadIdx.x + i];
    for (int k = 0; k < taps; ++k) {
        const float2 s = pulse[k];
        window[3] = own[4 * threadIdx.x + k + 3];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            sum[i].x += s.x * window[i].x + s.y * window[i].y;
            sum[i].y += s.x * window[i].y - s.y * window[i].x;
        }
        window[0] = window[1];
        window[1] = window[2];
        window[2] = window[3];
    }
    for (int i = 0; i < min(4, samples - n); ++i) reinterpret_cast<float2*>(filtered)[(size_t)blockIdx.x * samples + n + i] = sum[i];
}

extern "C" void matched_echo(int pulses, int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    filter<<<dim3(pulses, (samples + 1023) / 1024), 256, sizeof(float2) * (1024 + 2 * taps)>>>(samples, taps, shape, echo, filtered);
}
