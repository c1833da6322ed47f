#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// rule_match: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// streaming_stores: what is touched once goes past the caches.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void rule_match_1_map(int n, int rules, const unsigned int* __restrict__ source,
                                 const unsigned int* __restrict__ target, const int* __restrict__ port,
                                 const unsigned int* __restrict__ value, const unsigned int* __restrict__ mask,
                                 const int* __restrict__ port_low, const int* __restrict__ port_span,
                                 int* __restrict__ rule) {
    const int packet = blockIdx.x * 256 + threadIdx.x;
    if (packet < n) {
        __stcs(&rule[packet], -1);
        for (int r = 0; r < rules; ++r) {
            if (!((__ldcs(&source[packet]) & mask[2 * r]) != (value[2 * r] & mask[2 * r]))) {
                if (!((__ldcs(&target[packet]) & mask[2 * r + 1]) != (value[2 * r + 1] & mask[2 * r + 1]))) {
                    if (!(__ldcs(&port[packet]) < port_low[r] || __ldcs(&port[packet]) >= port_low[r] + port_span[r])) {
                        __stcs(&rule[packet], r);
                        break;
                    }
                }
            }
        }
    }
}

extern "C" void rule_match(int n, int rules, const unsigned int* source, const unsigned int* target, const int* port,
                           const unsigned int* value, const unsigned int* mask, const int* port_low,
                           const int* port_span, int* rule) {
    if (n >= 1) {
        rule_match_1_map<<<(n - 1) / 256 + 1, 256>>>(n, rules, source, target, port, value, mask, port_low, port_span,
                                                     rule);
    }
}