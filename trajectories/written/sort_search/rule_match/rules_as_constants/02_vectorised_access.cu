// Packet classification: a thread for each packet walks packed rules.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// Two words for 16-byte loads: {masks, masked values}, {first port, number of ports, unused}.
struct Rule {
    uint4 address, ports;
};

__global__ void pack(int rules, const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                     Rule* packed) {
    int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= rules) return;
    unsigned from = mask[2 * r], to = mask[2 * r + 1];
    packed[r].address = make_uint4(from, to, value[2 * r] & from, value[2 * r + 1] & to);
    packed[r].ports = make_uint4(port_low[r], max(port_span[r], 0), 0, 0);
}

__global__ void classify(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                         const Rule* packed, int* rule) {
    int packet = blockIdx.x * kThreads + threadIdx.x;
    if (packet >= n) return;
    unsigned from = source[packet], to = target[packet], p = port[packet];
    int found = -1;
    for (int r = 0; r < rules; ++r) {
        uint4 address = packed[r].address, ports = packed[r].ports;
        if ((from & address.x) != address.z) continue;
        if ((to & address.y) != address.w) continue;
        if (p - ports.x >= ports.y) continue;
        found = r;
        break;
    }
    rule[packet] = found;
}

extern "C" void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                           const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                           int* rule) {
    Rule* packed = nullptr;
    cudaMalloc(&packed, rules * sizeof(Rule));
    pack<<<(rules - 1) / kThreads + 1, kThreads>>>(rules, value, mask, port_low, port_span, packed);
    classify<<<(n - 1) / kThreads + 1, kThreads>>>(n, rules, source, target, port, packed, rule);
    cudaFree(packed);
}
