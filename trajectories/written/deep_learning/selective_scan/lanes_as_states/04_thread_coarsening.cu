// Selective scan: four lanes per channel with four states each, everything staged in shared memory 32 steps at a time.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kStates = 16;
constexpr int kTeam = 4;                     // lanes per channel
constexpr int kEach = kStates / kTeam;       // states per lane
constexpr int kThreads = 128;
constexpr int kChannels = kThreads / kTeam;  // per block
constexpr int kSteps = 32;                   // staged at a time

__global__ void scan(int length, int channels, const float* input, const float* delta, const float* decay,
                     const float* inlet, const float* outlet, const float* skip, float* output) {
    __shared__ float xs[kSteps][kChannels], dts[kSteps][kChannels], ys[kSteps][kChannels];
    __shared__ __align__(16) float in[kSteps * kStates], out[kSteps * kStates];
    auto team = cg::tiled_partition<kTeam>(cg::this_thread_block());
    const int n0 = team.thread_rank() * kEach, c = threadIdx.x / kTeam, d0 = blockIdx.x * kChannels, b = blockIdx.y;
    const bool used = d0 + c < channels;
    const float through = used ? skip[d0 + c] : 0.0f;
    float state[kEach], rate[kEach];
#pragma unroll
    for (int m = 0; m < kEach; ++m) {
        state[m] = 0.0f;
        rate[m] = used ? decay[(d0 + c) * kStates + n0 + m] : 0.0f;
    }
    for (int first = 0; first < length; first += kSteps) {
        const int steps = min(kSteps, length - first);
        const size_t row = (size_t)b * length + first;
        for (int i = threadIdx.x; i < steps * kChannels; i += kThreads) {
            const int t = i / kChannels, k = i % kChannels;
            const bool inside = d0 + k < channels;
            xs[t][k] = inside ? input[(row + t) * channels + d0 + k] : 0.0f;
            dts[t][k] = inside ? delta[(row + t) * channels + d0 + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < steps * kStates; i += kThreads) {
            in[i] = inlet[row * kStates + i];
            out[i] = outlet[row * kStates + i];
        }
        __syncthreads();
        for (int t = 0; t < steps; ++t) {
            const float x = xs[t][c], dt = dts[t][c], gain = dt * x;
            const float4 i = *reinterpret_cast<const float4*>(in + t * kStates + n0);
            const float4 o = *reinterpret_cast<const float4*>(out + t * kStates + n0);
            state[0] = expf(dt * rate[0]) * state[0] + gain * i.x;
            state[1] = expf(dt * rate[1]) * state[1] + gain * i.y;
            state[2] = expf(dt * rate[2]) * state[2] + gain * i.z;
            state[3] = expf(dt * rate[3]) * state[3] + gain * i.w;
            float y = (o.x * state[0] + o.y * state[1]) + (o.z * state[2] + o.w * state[3]);
            for (int distance = kTeam / 2; distance > 0; distance /= 2) y += team.shfl_xor(y, distance);
            if (team.thread_rank() == 0) ys[t][c] = through * x + y;
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
