#include <cuda_runtime.h>

struct Outage {
    int start, length;
};

// What a stretch of samples says of runs: how long, low samples at its two ends, and the best run inside.
struct Stretch {
    int length, head, tail;
    Outage best;
};

__device__ Outage longer(Outage a, Outage b) {  // a lies before b
    return b.length > a.length ? b : a;
}

// Stretch b follows a and begins at sample `place`.
__device__ Stretch joined(Stretch a, Stretch b, int place) {
    Outage across = {a.tail + b.head > 0 ? place - a.tail : -1, a.tail + b.head};
    Stretch whole;
    whole.length = a.length + b.length;
    whole.head = a.head == a.length ? a.length + b.head : a.head;
    whole.tail = b.tail == b.length ? b.length + a.tail : b.tail;
    whole.best = longer(longer(a.best, across), b.best);
    if (across.length == whole.best.length && across.length > 0 && across.start < whole.best.start) whole.best = across;
    return whole;
}

constexpr int kThreads = 128;

__device__ Stretch stretch(const short* row, int first, int end, short limit) {
    Stretch whole = {end - first, 0, 0, {-1, 0}};
    bool broken = false;
    for (int t = first; t < end; ++t) {
        if (row[t] < limit) {
            ++whole.tail;
            if (!broken) ++whole.head;
            if (whole.tail > whole.best.length) whole.best = {t + 1 - whole.tail, whole.tail};
        } else {
            whole.tail = 0;
            broken = true;
        }
    }
    return whole;
}

// A block a channel: each thread looks at a part of the row, then neighbours join what they found.
__global__ void find(int samples, const short* __restrict__ level, const short* __restrict__ limit, Outage* __restrict__ outage) {
    __shared__ Stretch part[kThreads];
    const short* row = level + (long long)blockIdx.x * samples;
    int share = ((samples + kThreads - 1) / kThreads + 31) / 32 * 32;
    int first = min(samples, (int)threadIdx.x * share), end = min(samples, first + share);
    Stretch mine = stretch(row, first, end, limit[blockIdx.x]);
    part[threadIdx.x] = mine;
    for (int step = 1; step < kThreads; step *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * step) == 0) {
            int place = min(samples, ((int)threadIdx.x + step) * share);
            Stretch before = part[threadIdx.x], after = part[threadIdx.x + step], both = joined(before, after, place);
            part[threadIdx.x] = both;
        }
    }
    if (threadIdx.x == 0) outage[blockIdx.x] = part[0].best;
}

extern "C" void longest_outage(int channels, int samples, const short* level, const short* limit, Outage* outage) {
    if (channels > 0) find<<<channels, kThreads>>>(samples, level, limit, outage);
}
