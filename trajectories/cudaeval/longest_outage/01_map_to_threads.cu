#include <cuda_runtime.h>

struct Outage {
    int start, length;
};

__global__ void find(int channels, int samples, const short* level, const short* limit, Outage* outage) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    const short* row = level + (long long)c * samples;
    Outage best = {-1, 0};
    int t = 0;
    while (t < samples) {
        if (row[t] >= limit[c]) {
            ++t;
            continue;
        }
        int begin = t;
        while (t < samples && row[t] < limit[c]) ++t;
        if (t - begin > best.length) best = {begin, t - begin};
    }
    outage[c] = best;
}

extern "C" void longest_outage(int channels, int samples, const short* level, const short* limit, Outage* outage) {
    if (channels > 0) find<<<(channels + 63) / 64, 64>>>(channels, samples, level, limit, outage);
}
