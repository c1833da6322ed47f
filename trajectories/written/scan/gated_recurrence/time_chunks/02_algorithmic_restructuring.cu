// Gated recurrence: time is cut into chunks; their effect on a state is found first, then chained, then every chunk runs alone.
#include <cuda_runtime.h>

constexpr int kChunk = 128;  // steps

struct Step {  // h -> keep * h + add
    float keep, add;
};

__global__ void summarise(int time, int channels, int chunks, const float* gate, const float* x, Step* steps) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y, b = blockIdx.z;
    if (c >= channels) return;
    Step whole = {1.0f, 0.0f};
    for (int t = k * kChunk; t < min((k + 1) * kChunk, time); ++t) {
        size_t i = ((size_t)b * time + t) * channels + c;
        float g = gate[i];
        whole = {g * whole.keep, g * whole.add + (1.0f - g) * x[i]};
    }
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
    int c = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y, b = blockIdx.z;
    if (c >= channels) return;
    float state = steps[((size_t)b * chunks + k) * channels + c].add;
    for (int t = k * kChunk; t < min((k + 1) * kChunk, time); ++t) {
        size_t i = ((size_t)b * time + t) * channels + c;
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
