// Packet classification: a thread for each packet walks packed rules in constant memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

constexpr int kMaxRules = 2048;

struct Rule {
    unsigned from_mask, to_mask, from, to;  // values are masked already
    unsigned first_port, ports;
};

__constant__ Rule c_rules[kMaxRules];

__global__ void pack(int rules, const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                     Rule* packed) {
    int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= rules) return;
    unsigned from = mask[2 * r], to = mask[2 * r + 1];
    packed[r] = {
        from, to, value[2 * r] & from, value[2 * r + 1] & to, (unsigned)port_low[r], (unsigned)max(port_span[r], 0)};
}

__global__ void classify(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                         int* rule) {
    int packet = blockIdx.x * kThreads + threadIdx.x;
    if (packet >= n) return;
    unsigned from = source[packet], to = target[packet], p = port[packet];
    int found = -1;
    for (int r = 0; r < rules; ++r) {
        const Rule& candidate = c_rules[r];
        unsigned differs = ((from & candidate.from_mask) ^ candidate.from) | ((to & candidate.to_mask) ^ candidate.to);
        if ((differs == 0) & (p - candidate.first_port < candidate.ports)) {
            found = r;
            break;
        }
    }
    rule[packet] = found;
}

extern "C" void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                           const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                           int* rule) {
    Rule* packed = nullptr;
    cudaMalloc(&packed, rules * sizeof(Rule));
    pack<<<(rules - 1) / kThreads + 1, kThreads>>>(rules, value, mask, port_low, port_span, packed);
    cudaMemcpyToSymbolAsync(c_rules, packed, rules * sizeof(Rule), 0, cudaMemcpyDeviceToDevice);
    classify<<<(n - 1) / kThreads + 1, kThreads>>>(n, rules, source, target, port, rule);
    cudaFree(packed);
}
