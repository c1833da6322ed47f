// Selective scan: sixteen lanes per channel; input, delta and output pass through shared memory 64 steps at a time.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kStates = 16;
constexpr int kThreads = 128;
constexpr int kChannels = kThreads / kStates;  // per block
constexpr int kSteps = 64;                     // staged at a time

__global__ void scan(int length, int channels, const float* input, const float* delta, const float* decay,
                     const float* inlet, const float* outlet, const float* skip, float* output) {
    __shared__ float xs[kSteps][kChannels], dts[kSteps][kChannels], ys[kSteps][kChannels];
    auto team = cg::tiled_partition<kStates>(cg::this_thread_block());
    const int n = team.thread_rank(), c = threadIdx.x / kStates, d0 = blockIdx.x * kChannels, b = blockIdx.y;
    const bool used = d0 + c < channels;
    const float rate = used ? decay[(d0 + c) * kStates + n] : 0.0f, through = used ? skip[d0 + c] : 0.0f;
    float state = 0.0f;
    for (int first = 0; first < length; first += kSteps) {
        const int steps = min(kSteps, length - first);
        const size_t row = (size_t)b * length + first;
        for (int i = threadIdx.x; i < steps * kChannels; i += kThreads) {
            const int t = i / kChannels, k = i % kChannels;
            const bool inside = d0 + k < channels;
            xs[t][k] = inside ? input[(row + t) * channels + d0 + k] : 0.0f;
            dts[t][k] = inside ? delta[(row + t) * channels + d0 + k] : 0.0f;
        }
        __syncthreads();
        for (int t = 0; t < steps; ++t) {
            const float x = xs[t][c], dt = dts[t][c];
            state = expf(dt * rate) * state + dt * x * inlet[(row + t) * kStates + n];
            float y = outlet[(row + t) * kStates + n] * state;
            for (int distance = kStates / 2; distance > 0; distance /= 2) y += team.shfl_xor(y, distance);
            if (n == 0) ys[t][c] = through * x + y;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < steps * kChannels; i += kThreads) {
            const int t = i / kChannels, k = i % kChannels;
            if (d0 + k < channels) output[(row + t) * channels + d0 + k] = ys[t][k];
        }
    }
}

extern "C" void selective_scan(int batch, int length, int channels, const float* input, const float* delta,
                               const float* decay, const float* inlet, const float* outlet, const float* skip,
                               float* output) {
    dim3 grid((channels - 1) / kChannels + 1, batch);
    scan<<<grid, kThreads>>>(length, channels, input, delta, decay, inlet, outlet, skip, output);
}
