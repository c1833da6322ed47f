// Log-linear latency histogram of each service, four buckets for a power of two.
#include <cstddef>

static const int kBuckets = 124;

void latency_buckets(int n, int services, const int* service, const unsigned* latency, unsigned* counts,
                     unsigned* slowest) {
    for (int s = 0; s < services; ++s) {
        slowest[s] = 0;
        for (int b = 0; b < kBuckets; ++b) counts[(size_t)s * kBuckets + b] = 0;
    }
    for (int i = 0; i < n; ++i) {
        unsigned value = latency[i];
        int bucket = (int)value;
        if (value >= 8) {
            int shift = 0;
            while (value >> shift >= 8) ++shift;
            bucket = 8 + 4 * (shift - 1) + (int)(value >> shift) - 4;
        }
        counts[(size_t)service[i] * kBuckets + bucket]++;
        if (latency[i] > slowest[service[i]]) slowest[service[i]] = latency[i];
    }
}
