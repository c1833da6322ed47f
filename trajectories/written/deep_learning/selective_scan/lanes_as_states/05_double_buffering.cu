// Selective scan: four lanes per channel, two sets of staging buffers, the next 32 steps copied during the present.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kStates = 16;
constexpr int kTeam = 4;                     // lanes per channel
constexpr int kEach = kStates / kTeam;       // states per lane
constexpr int kThreads = 128;
constexpr int kChannels = kThreads / kTeam;  // per block
constexpr int kSteps = 32;                   // staged at a time

struct Stage {
    float x[kSteps][kChannels], dt[kSteps][kChannels];
    float4 in[kSteps * kTeam], out[kSteps * kTeam];
};

// Orders the copies of `steps` rows from `row` on; columns outside of the tensor are left alone.
__device__ void fetch(Stage& stage, size_t row, int steps, int channels, int d0, const float* input,
                      const float* delta, const float* inlet, const float* outlet) {
    for (int i = threadIdx.x; i < steps * kChannels; i += kThreads) {
        const int t = i / kChannels, k = i % kChannels;
        if (d0 + k >= channels) continue;
        __pipeline_memcpy_async(&stage.x[t][k], input + (row + t) * channels + d0 + k, sizeof(float));
        __pipeline_memcpy_async(&stage.dt[t][k], delta + (row + t) * channels + d0 + k, sizeof(float));
    }
    for (int i = threadIdx.x; i < steps * kStates; i += kThreads) {
        __pipeline_memcpy_async(reinterpret_cast<float*>(stage.in) + i, inlet + row * kStates + i, sizeof(float));
        __pipeline_memcpy_async(reinterpret_cast<float*>(stage.out) + i, outlet + row * kStates + i, sizeof(float));
    }
    __pipeline_commit();
}

__global__ void scan(int length, int channels, const float* input, const float* delta, const float* decay,
                     const float* inlet, const float* outlet, const float* skip, float* output) {
    __shared__ Stage stages[2];
    __shared__ float ys[kSteps][kChannels];
    auto team = cg::tiled_partition<kTeam>(cg::this_thread_block());
    const int rank = team.thread_rank(), c = threadIdx.x / kTeam, d0 = blockIdx.x * kChannels, b = blockIdx.y;
    const bool used = d0 + c < channels;
    const float through = used ? skip[d0 + c] : 0.0f;
    float state[kEach], rate[kEach];
#pragma unroll
    for (int m = 0; m < kEach; ++m) {
        state[m] = 0.0f;
        rate[m] = used ? decay[(d0 + c) * kStates + rank * kEach + m] : 0.0f;
    }
    const size_t base = (size_t)b * length;
    fetch(stages[0], base, min(kSteps, length), channels, d0, input, delta, inlet, outlet);
    for (int first = 0, current = 0; first < length; first += kSteps, current ^= 1) {
        const int steps = min(kSteps, length - first), ahead = first + kSteps;
        const size_t row = base + first;
        if (ahead < length)
            fetch(stages[current ^ 1], base + ahead, min(kSteps, length - ahead), channels, d0, input, delta, inlet,
                  outlet);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const Stage& stage = stages[current];
        for (int t = 0; t < steps; ++t) {
            const float x = used ? stage.x[t][c] : 0.0f, dt = used ? stage.dt[t][c] : 0.0f, gain = dt * x;
            const float4 i = stage.in[t * kTeam + rank], o = stage.out[t * kTeam + rank];
            state[0] = expf(dt * rate[0]) * state[0] + gain * i.x;
            state[1] = expf(dt * rate[1]) * state[1] + gain * i.y;
            state[2] = expf(dt * rate[2]) * state[2] + gain * i.z;
            state[3] = expf(dt * rate[3]) * state[3] + gain * i.w;
            float y = (o.x * state[0] + o.y * state[1]) + (o.z * state[2] + o.w * state[3]);
            for (int distance = kTeam / 2; distance > 0; distance /= 2) y += team.shfl_xor(y, distance);
            if (rank == 0) ys[t][c] = through * x + y;
        }
        __syncthreads();  // ys is complete, and the buffer may be filled again
        for (int i = threadIdx.x; i < steps * kChannels; i += kThreads) {
            const int t = i / kChannels, k = i % kChannels;
            if (d0 + k < channels) output[(row + t) * channels + d0 + k] = ys[t][k];
        }
        __syncthreads();
    }
}

extern "C" void selective_scan(int batch, int length, int channels, const float* input, const float* delta,
                               const float* decay, const float* inlet, const float* outlet, const float* skip,
                               float* output) {
    dim3 grid((channels - 1) / kChannels + 1, batch);
    scan<<<grid, kThreads>>>(length, channels, input, delta, decay, inlet, outlet, skip, output);
}
