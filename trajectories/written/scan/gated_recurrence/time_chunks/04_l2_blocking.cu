// Gated recurrence: time is cut into chunks; outputs are stored past the cache, and the second pass meets what the first left
// in it.
#include <cuda_runtime.h>

constexpr int kChunk = 128;  // steps
constexpr int kAhead = 8;    // steps whose loads are issued together

struct Step {  // h -> keep * h + add
    float keep, add;
};

__global__ void summarise(int time, int channels, int chunks, const float* gate, const float* x, Step* steps) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y, b = blockIdx.z;
    if (c >= channels) return;
    Step whole = {1.0f, 0.0f};
    int left = min(kChunk, time - k * kChunk);
    size_t i = ((size_t)b * time + k * kChunk) * channels + c;
    for (; left >= kAhead; left -= kAhead, i += (size_t)kAhead * channels) {
        float g[kAhead], v[kAhead];
#pragma unroll
        for (int j = 0; j < kAhead; ++j) g[j] = gate[i + (size_t)j * channels], v[j] = x[i + (size_t)j * channels];
#pragma unroll
        for (int j = 0; j < kAhead; ++j) whole = {g[j] * whole.keep, g[j] * whole.add + (1.0f - g[j]) * v[j]};
    }
    for (; left > 0; --left, i += channels) whole = {gate[i] * whole.keep, gate[i] * whole.add + (1.0f - gate[i]) * x[i]};
    steps[((size_t)b * chunks + k) * channels + c] = whole;
}

// Leaves in `add` the state before each chunk.
__global__ void chain(int channels, int chunks, Step* steps) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (c >= channels) return;
    float state = 0.0f;
    for (int k = 0; k < chunks; ++k) {
        Step& step = steps[((size_t)b * chunks + k) * channels + c];
        float after = step.keep * state + step.add;
        step.add = state;
        state = after;
    }
}

__global__ void recur(int time, int channels, int chunks, const float* gate, const float* x, const Step* steps, float* h) {
    // From the last chunk to the first: the first pass has just read the last ones, and L2 still holds them.
    int c = blockIdx.x * blockDim.x + threadIdx.x, k = gridDim.y - 1 - blockIdx.y, b = gridDim.z - 1 - blockIdx.z;
    if (c >= channels) return;
    float state = steps[((size_t)b * chunks + k) * channels + c].add;
    int left = min(kChunk, time - k * kChunk);
    size_t i = ((size_t)b * time + k * kChunk) * channels + c;
    for (; left >= kAhead; left -= kAhead, i += (size_t)kAhead * channels) {
        float g[kAhead], v[kAhead];
#pragma unroll
        for (int j = 0; j < kAhead; ++j) g[j] = gate[i + (size_t)j * channels], v[j] = x[i + (size_t)j * channels];
#pragma unroll
        for (int j = 0; j < kAhead; ++j) {
            state = g[j] * state + (1.0f - g[j]) * v[j];
            __stcs(h + i + (size_t)j * channels, state);
        }
    }
    for (; left > 0; --left, i += channels) {
        state = gate[i] * state + (1.0f - gate[i]) * x[i];
        h[i] = state;
    }
}

extern "C" void gated_recurrence(int batch, int time, int channels, const float* gate, const float* x, float* h) {
    int chunks = (time + kChunk - 1) / kChunk, columns = (channels + 127) / 128;
    Step* steps = nullptr;
    cudaMalloc(&steps, (size_t)batch * chunks * channels * sizeof(Step));
    summarise<<<dim3(columns, chunks, batch), 128>>>(time, channels, chunks, gate, x, steps);
    chain<<<dim3(columns, batch), 128>>>(channels, chunks, steps);
    recur<<<dim3(columns, chunks, batch), 128>>>(time, channels, chunks, gate, x, steps, h);
    cudaFree(steps);
}
