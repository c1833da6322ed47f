// Packet classification: a thread for each packet walks the rules.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void classify(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                         const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                         int* rule) {
    int packet = blockIdx.x * kThreads + threadIdx.x;
    if (packet >= n) return;
    unsigned from = source[packet], to = target[packet];
    int p = port[packet], found = -1;
    for (int r = 0; r < rules; ++r) {
        if ((from & mask[2 * r]) != (value[2 * r] & mask[2 * r])) continue;
        if ((to & mask[2 * r + 1]) != (value[2 * r + 1] & mask[2 * r + 1])) continue;
        if (p < port_low[r] || p >= port_low[r] + port_span[r]) continue;
        found = r;
        break;
    }
    rule[packet] = found;
}

extern "C" void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                           const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                           int* rule) {
    classify<<<(n - 1) / kThreads + 1, kThreads>>>(n, rules, source, target, port, value, mask, port_low, port_span,
                                                   rule);
}
