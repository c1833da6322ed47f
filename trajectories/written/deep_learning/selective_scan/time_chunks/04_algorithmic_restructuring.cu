// Selective scan: time in chunks; summaries of all chunks, a pass over the summaries, then the chunks in parallel.
#include <cuda_runtime.h>

constexpr int kStates = 16;
constexpr int kThreads = 64;
constexpr int kSteps = 32;  // staged at a time
constexpr int kChunk = 64;  // steps per chunk
constexpr float kLog2E = 1.4426950408889634f;

// One time step of a channel: advances the states and returns their weighted sum.
__device__ float advance(float dt, float gain, const float (&rate)[kStates], const float4* in, const float4* out,
                         float (&state)[kStates]) {
    float y = 0.0f;
#pragma unroll
    for (int q = 0; q < kStates / 4; ++q) {
        const float4 i = in[q], o = out[q];
        const float inlets[4] = {i.x, i.y, i.z, i.w}, outlets[4] = {o.x, o.y, o.z, o.w};
#pragma unroll
        for (int m = 0; m < 4; ++m) {
            const int n = 4 * q + m;
            state[n] = exp2f(dt * rate[n]) * state[n] + gain * inlets[m];
            y += outlets[m] * state[n];
        }
    }
    return y;
}

// states[batch][chunk][n][channel], and elapsed[batch][chunk][channel]: the sum of delta over the chunk.
// kSummary: writes the state that a chunk reaches from zero; otherwise starts from states and writes the output.
template <bool kSummary>
__global__ void scan(int length, int channels, const float* input, const float* delta, const float* decay,
                     const float* inlet, const float* outlet, const float* skip, float* output, float* states,
                     float* elapsed) {
    __shared__ __align__(16) float in[kSteps * kStates], out[kSteps * kStates];
    const int d = blockIdx.x * kThreads + threadIdx.x, b = blockIdx.y, chunk = blockIdx.z;
    const bool used = d < channels;
    const size_t cell = (size_t)b * gridDim.z + chunk;
    float state[kStates], rate[kStates], total = 0.0f;
#pragma unroll
    for (int n = 0; n < kStates; ++n) {
        state[n] = kSummary || !used ? 0.0f : states[(cell * kStates + n) * channels + d];
        rate[n] = used ? decay[d * kStates + n] * kLog2E : 0.0f;
    }
    const float through = used ? skip[d] : 0.0f;
    const int end = min((chunk + 1) * kChunk, length);
    for (int first = chunk * kChunk; first < end; first += kSteps) {
        const int steps = min(kSteps, end - first);
        const size_t row = (size_t)b * length + first;
        __syncthreads();
        for (int i = threadIdx.x; i < steps * kStates; i += kThreads) {
            in[i] = inlet[row * kStates + i];
            out[i] = outlet[row * kStates + i];
        }
        __syncthreads();
        if (!used) continue;
        for (int t = 0; t < steps; ++t) {
            const size_t place = (row + t) * channels + d;
            const float x = input[place], dt = delta[place];
            float y = advance(dt, dt * x, rate, reinterpret_cast<const float4*>(in + t * kStates),
                              reinterpret_cast<const float4*>(out + t * kStates), state);
            total += dt;
            if (!kSummary) output[place] = through * x + y;
        }
    }
    if (kSummary && used) {
        for (int n = 0; n < kStates; ++n) states[(cell * kStates + n) * channels + d] = state[n];
        elapsed[cell * channels + d] = total;
    }
}

// Turns the states reached from zero into the states at the start of each chunk; a thread per channel and state.
__global__ void chain(int chunks, int channels, const float* decay, const float* elapsed, float* states) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.y, b = blockIdx.z;
    if (d >= channels) return;
    const float rate = decay[d * kStates + n] * kLog2E;
    float start = 0.0f;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const size_t cell = (size_t)b * chunks + chunk;
        float* state = states + (cell * kStates + n) * channels + d;
        const float reached = *state;
        *state = start;
        start = exp2f(rate * elapsed[cell * channels + d]) * start + reached;
    }
}

extern "C" void selective_scan(int batch, int length, int channels, const float* input, const float* delta,
                               const float* decay, const float* inlet, const float* outlet, const float* skip,
                               float* output) {
    const int chunks = (length - 1) / kChunk + 1;
    const size_t cells = (size_t)batch * chunks * channels;
    float* states = nullptr;
    cudaMalloc(&states, cells * (kStates + 1) * sizeof(float));
    float* elapsed = states + cells * kStates;
    dim3 grid((channels - 1) / kThreads + 1, batch, chunks), chain_grid(grid.x, kStates, batch);
    scan<true><<<grid, kThreads>>>(length, channels, input, delta, decay, inlet, outlet, skip, output, states, elapsed);
    chain<<<chain_grid, kThreads>>>(chunks, channels, decay, elapsed, states);
    scan<false><<<grid, kThreads>>>(length, channels, input, delta, decay, inlet, outlet, skip, output, states,
                                    elapsed);
    cudaFree(states);
}
