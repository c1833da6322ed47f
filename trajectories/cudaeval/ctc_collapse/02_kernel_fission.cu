// Greedy decoding: the best class of each frame, one thread a frame, apart from the short sequential rest.
#include <cuda_runtime.h>

__device__ int best_class(int classes, const float* frame) {
    int best = 0;
    for (int c = 1; c < classes; ++c)
        if (frame[c] > frame[best]) best = c;
    return best;
}

__global__ void choose(long long rows, int classes, const float* score, int* best) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) best[i] = best_class(classes, score + i * classes);
}

__global__ void collapse(int sequences, int frames, const int* best, int* label, int* length) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    const int* in = best + (long long)s * frames;
    int* out = label + (long long)s * frames;
    int written = 0, before = 0;
    for (int t = 0; t < frames; ++t) {
        int now = in[t];
        if (now != before && now != 0) out[written++] = now;
        before = now;
    }
    length[s] = written;
    while (written < frames) out[written++] = -1;
}

extern "C" void ctc_collapse(int sequences, int frames, int classes, const float* score, int* label, int* length) {
    long long rows = (long long)sequences * frames;
    if (rows <= 0) return;
    int* best = nullptr;
    cudaMalloc(&best, rows * sizeof(int));
    choose<<<(unsigned)((rows + 127) / 128), 128>>>(rows, classes, score, best);
    collapse<<<(sequences + 31) / 32, 32>>>(sequences, frames, best, label, length);
    cudaFree(best);
}
