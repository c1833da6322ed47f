// Packet classification: a thread for four packets walks packed rules in constant memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kPackets = 4;  // of a thread

constexpr int kMaxRules = 2048;

struct Rule {
    unsigned from_mask, to_mask, from, to;  // values are masked already
    unsigned first_port, ports;
};

__constant__ Rule c_rules[kMaxRules];

__global__ void pack(int rules, const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                     Rule* packed) {
    int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= (rules + 3) / 4 * 4) return;
    if (r >= rules) {
        packed[r] = {0, 0, 0, 0, 0, 0};  // fills up the last four and matches nothing
        return;
    }
    unsigned from = mask[2 * r], to = mask[2 * r + 1];
    packed[r] = {
        from, to, value[2 * r] & from, value[2 * r + 1] & to, (unsigned)port_low[r], (unsigned)max(port_span[r], 0)};
}

__global__ void classify(int n, int rules, const unsigned* source, const unsigned* target, const int* port, int* rule) {
    int first = blockIdx.x * kThreads * kPackets + threadIdx.x;
    if (first >= n) return;
    unsigned from[kPackets], to[kPackets], p[kPackets];
    int found[kPackets], missing = 0;
#pragma unroll
    for (int k = 0; k < kPackets; ++k) {
        int packet = first + k * kThreads;
        bool exists = packet < n;
        from[k] = exists ? source[packet] : 0;
        to[k] = exists ? target[packet] : 0;
        p[k] = exists ? port[packet] : 0;
        found[k] = -1;
        missing += exists ? 1 : 0;
    }
    for (int r4 = 0; r4 < rules && missing > 0; r4 += 4) {
#pragma unroll
        for (int r = r4; r < r4 + 4; ++r) {
            const Rule& candidate = c_rules[r];
#pragma unroll
            for (int k = 0; k < kPackets; ++k) {
                unsigned differs =
                    ((from[k] & candidate.from_mask) ^ candidate.from) | ((to[k] & candidate.to_mask) ^ candidate.to);
                bool matches = (differs == 0) & (p[k] - candidate.first_port < candidate.ports) & (found[k] < 0);
                bool counts = matches & (first + k * kThreads < n);
                found[k] = matches ? r : found[k];
                missing -= counts ? 1 : 0;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < kPackets; ++k)
        if (first + k * kThreads < n) rule[first + k * kThreads] = found[k];
}

extern "C" void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                           const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                           int* rule) {
    Rule* packed = nullptr;
    cudaMalloc(&packed, kMaxRules * sizeof(Rule));
    pack<<<kMaxRules / kThreads, kThreads>>>(rules, value, mask, port_low, port_span, packed);
    cudaMemcpyToSymbolAsync(c_rules, packed, (rules + 3) / 4 * 4 * sizeof(Rule), 0, cudaMemcpyDeviceToDevice);
    classify<<<(n - 1) / (kThreads * kPackets) + 1, kThreads>>>(n, rules, source, target, port, rule);
    cudaFree(packed);
}
