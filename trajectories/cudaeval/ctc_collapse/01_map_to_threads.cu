// Greedy decoding: one thread a sequence.
#include <cuda_runtime.h>

__device__ int best_class(int classes, const float* frame) {
    int best = 0;
    for (int c = 1; c < classes; ++c)
        if (frame[c] > frame[best]) best = c;
    return best;
}

__global__ void decode(int sequences, int frames, int classes, const float* score, int* label, int* length) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= sequences) return;
    int* out = label + (long long)s * frames;
    int written = 0, before = 0;
    for (int t = 0; t < frames; ++t) {
        int now = best_class(classes, score + ((long long)s * frames + t) * classes);
        if (now != before && now != 0) out[written++] = now;
        before = now;
    }
    length[s] = written;
    while (written < frames) out[written++] = -1;
}

extern "C" void ctc_collapse(int sequences, int frames, int classes, const float* score, int* label, int* length) {
    if (sequences > 0) decode<<<(sequences + 31) / 32, 32>>>(sequences, frames, classes, score, label, length);
}
