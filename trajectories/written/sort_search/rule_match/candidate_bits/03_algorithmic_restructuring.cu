// Packet classification: bit vectors of candidate rules for the first byte of each address.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr unsigned kFirstByte = 0xff000000u;

struct Rule {
    unsigned from_mask, to_mask, from, to;  // values are masked already
    unsigned first_port, ports;
};

__device__ bool matches(const Rule& rule, unsigned from, unsigned to, unsigned port) {
    unsigned differs = ((from & rule.from_mask) ^ rule.from) | ((to & rule.to_mask) ^ rule.to);
    return (differs == 0) & (port - rule.first_port < rule.ports);
}

// candidates[side][byte][word]: bit b is set if rule 32 * word + b may match an address with that first byte.
// A block is a byte, a warp a word, a lane a rule; the first block also packs the rules.
__global__ void build(int rules, int words, const unsigned* value, const unsigned* mask, const int* port_low,
                      const int* port_span, Rule* packed, unsigned* candidates) {
    unsigned byte = blockIdx.x << 24;
    int lane = threadIdx.x % 32;
    for (int word = threadIdx.x / 32; word < words; word += kThreads / 32) {
        int r = 32 * word + lane;
        Rule own = {0, 0, 0, 0, 0, 0};
        if (r < rules) {
            unsigned m = mask[2 * r], k = mask[2 * r + 1];
            own = {m, k, value[2 * r] & m, value[2 * r + 1] & k, (unsigned)port_low[r], (unsigned)max(port_span[r], 0)};
            if (blockIdx.x == 0) packed[r] = own;
        }
        bool may_from = r < rules && (((byte & own.from_mask) ^ own.from) & kFirstByte) == 0;
        bool may_to = r < rules && (((byte & own.to_mask) ^ own.to) & kFirstByte) == 0;
        unsigned from = __ballot_sync(0xffffffffu, may_from), to = __ballot_sync(0xffffffffu, may_to);
        if (lane == 0) candidates[blockIdx.x * words + word] = from;
        if (lane == 1) candidates[(256 + blockIdx.x) * words + word] = to;
    }
}

__global__ void classify(int n, int words, const unsigned* source, const unsigned* target, const int* port,
                         const Rule* packed, const unsigned* candidates, int* rule) {
    int packet = blockIdx.x * kThreads + threadIdx.x;
    if (packet >= n) return;
    unsigned from = source[packet], to = target[packet], p = port[packet];
    const unsigned* of_from = candidates + (from >> 24) * words;
    const unsigned* of_to = candidates + (256 + (to >> 24)) * words;
    int found = -1;
    for (int word = 0; word < words && found < 0; ++word) {
        for (unsigned left = of_from[word] & of_to[word]; left != 0; left &= left - 1) {
            int r = 32 * word + __ffs((int)left) - 1;
            if (matches(packed[r], from, to, p)) {
                found = r;
                break;
            }
        }
    }
    rule[packet] = found;
}

extern "C" void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                           const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span,
                           int* rule) {
    int words = (rules - 1) / 32 + 1;
    Rule* packed = nullptr;
    cudaMalloc(&packed, rules * sizeof(Rule) + 512 * words * sizeof(unsigned));
    unsigned* candidates = (unsigned*)(packed + rules);
    build<<<256, kThreads>>>(rules, words, value, mask, port_low, port_span, packed, candidates);
    classify<<<(n - 1) / kThreads + 1, kThreads>>>(n, words, source, target, port, packed, candidates, rule);
    cudaFree(packed);
}
