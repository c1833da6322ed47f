// Greedy decoding: runs are merged by a block a sequence; the place of a label is the count of those before it.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

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

// One block a sequence: frames are taken 256 at a time, and a place is the number of labels before it, by votes of the warps.
__global__ void collapse(int frames, const int* __restrict__ best, int* __restrict__ label, int* __restrict__ length) {
    __shared__ int counts[kThreads / 32];
    const int* in = best + (long long)blockIdx.x * frames;
    int* out = label + (long long)blockIdx.x * frames;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, written = 0;
    for (int first = 0; first < frames; first += kThreads) {
        int t = first + threadIdx.x, now = t < frames ? in[t] : 0, before = t > 0 && t < frames ? in[t - 1] : 0;
        bool kept = now != 0 && now != before;
        unsigned vote = __ballot_sync(0xffffffffu, kept);
        if (lane == 0) counts[warp] = __popc(vote);
        __syncthreads();
        int place = written + __popc(vote & ((1u << lane) - 1));
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) place += counts[w];
            written += counts[w];
        }
        if (kept) out[place] = now;
        __syncthreads();
    }
    if (threadIdx.x == 0) length[blockIdx.x] = written;
    for (int t = written + threadIdx.x; t < frames; t += kThreads) out[t] = -1;
}

extern "C" void ctc_collapse(int sequences, int frames, int classes, const float* score, int* label, int* length) {
    long long rows = (long long)sequences * frames;
    if (rows <= 0) return;
    int* best = nullptr;
    cudaMalloc(&best, rows * sizeof(int));
    choose<<<(unsigned)((rows + 127) / 128), 128>>>(rows, classes, score, best);
    collapse<<<sequences, kThreads>>>(frames, best, label, length);
    cudaFree(best);
}
