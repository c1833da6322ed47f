// Packet classification: rules are tiled through shared memory until all packets of a block have theirs.
#include <cuda_runtime.h>

constexpr int kThreads = 256;  // threads of a block and rules of a tile

struct Rule {
    unsigned from_mask, to_mask, from, to;  // values are masked already
    unsigned first_port, ports;
};

__device__ bool matches(const Rule& rule, unsigned from, unsigned to, unsigned port) {
    unsigned differs = ((from & rule.from_mask) ^ rule.from) | ((to & rule.to_mask) ^ rule.to);
    return (differs == 0) & (port - rule.first_port < rule.ports);
}

__global__ void classify(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                         const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                         int* rule) {
    __shared__ Rule tile[kThreads];
    int packet = blockIdx.x * kThreads + threadIdx.x;
    bool exists = packet < n;
    unsigned from = exists ? source[packet] : 0, to = exists ? target[packet] : 0, p = exists ? port[packet] : 0;
    int found = -1;
    for (int first = 0; first < rules; first += kThreads) {
        int r = first + threadIdx.x, count = min(kThreads, rules - first);
        if (r < rules) {
            unsigned m = mask[2 * r], k = mask[2 * r + 1];
            tile[threadIdx.x] = {m, k, value[2 * r] & m, value[2 * r + 1] & k, (unsigned)port_low[r],
                                 (unsigned)max(port_span[r], 0)};
        }
        __syncthreads();
        for (int t = 0; t < count && found < 0; ++t)
            if (matches(tile[t], from, to, p)) found = first + t;
        if (!__syncthreads_or(exists && found < 0)) break;
    }
    if (exists) rule[packet] = found;
}

extern "C" void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                           const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                           int* rule) {
    classify<<<(n - 1) / kThreads + 1, kThreads>>>(n, rules, source, target, port, value, mask, port_low, port_span,
                                                   rule);
}
