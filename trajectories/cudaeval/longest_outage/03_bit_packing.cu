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

constexpr unsigned kAll = 0xffffffffu;

// The runs in 32 samples whose low ones are the set bits of `low`; the first of them is sample `first`.
__device__ void add_word(Stretch& whole, unsigned low, int count, int first) {
    if (low == 0) {  // nothing low: no more than a break
        whole.length += count;
        whole.tail = 0;
        return;
    }
    int head = low == kAll ? 32 : __ffs((int)~low) - 1;
    if (head >= count) {  // all low
        if (whole.head == whole.length) whole.head += count;
        whole.tail += count;
        whole.length += count;
        if (whole.tail > whole.best.length) whole.best = {first + count - whole.tail, whole.tail};
        return;
    }
    if (whole.tail + head > whole.best.length) whole.best = {first - whole.tail, whole.tail + head};
    if (whole.head == whole.length) whole.head += head;
    // The longest run inside: shrink all runs by one until none is left.
    int length = 0;
    unsigned left = low;
    for (unsigned next = low; next != 0; next &= next << 1) {
        left = next;
        ++length;
    }
    int last = __ffs((int)left) - 1;  // where the first of the longest runs ends
    if (length > whole.best.length) whole.best = {first + last + 1 - length, length};
    unsigned top = low << (32 - count);
    whole.tail = __clz((int)~top);
    whole.length += count;
}

constexpr int kThreads = 128, kRound = 32 * kThreads;  // samples of a block in a round

// A block a channel, 4096 samples a round: votes turn them into words of bits in shared memory, then each thread takes a word of its own.
__global__ void find(int samples, const short* __restrict__ level, const short* __restrict__ limit, Outage* __restrict__ outage) {
    __shared__ unsigned word[kThreads];
    __shared__ Stretch part[kThreads];
    const short* row = level + (long long)blockIdx.x * samples;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    short bound = limit[blockIdx.x];
    Stretch so_far = {0, 0, 0, {-1, 0}};  // of the rounds before; thread 0 alone
    for (int base = 0; base < samples; base += kRound) {
        for (int w = warp; w < kThreads; w += kThreads / 32) {
            int t = base + 32 * w + lane;
            unsigned low = __ballot_sync(kAll, t < samples && row[t] < bound);
            if (lane == 0) word[w] = low;
        }
        __syncthreads();
        int first = base + 32 * threadIdx.x;
        Stretch mine = {0, 0, 0, {-1, 0}};
        if (first < samples) add_word(mine, word[threadIdx.x], min(32, samples - first), first);
        part[threadIdx.x] = mine;
        for (int step = 1; step < kThreads; step *= 2) {
            __syncthreads();
            if (threadIdx.x % (2 * step) == 0) {
                int place = min(samples, first + 32 * step);
                Stretch before = part[threadIdx.x], after = part[threadIdx.x + step], both = joined(before, after, place);
            part[threadIdx.x] = both;
            }
        }
        if (threadIdx.x == 0) {
            Stretch round = part[0];
            so_far = joined(so_far, round, base);
        }
    }
    if (threadIdx.x == 0) outage[blockIdx.x] = so_far.best;
}

extern "C" void longest_outage(int channels, int samples, const short* level, const short* limit, Outage* outage) {
    if (channels > 0) find<<<channels, kThreads>>>(samples, level, limit, outage);
}
