// Top-two choice of experts, their gates, and places in the experts' buffers.
#include <cmath>
#include <cstddef>
#include <vector>

void moe_route(int tokens, int experts, int capacity, const float* logits, int* chosen, float* gate, int* slot,
               int* load) {
    std::vector<int> filled(experts, 0);
    for (int t = 0; t < tokens; ++t) {
        const float* score = logits + (size_t)t * experts;
        int best = 0, next = 1;
        if (score[1] > score[0]) best = 1, next = 0;
        for (int e = 2; e < experts; ++e) {
            if (score[e] > score[best]) {
                next = best;
                best = e;
            } else if (score[e] > score[next]) {
                next = e;
            }
        }
        float share = 1.0f / (1.0f + std::exp(score[next] - score[best]));
        gate[2 * (size_t)t] = share;
        gate[2 * (size_t)t + 1] = 1.0f - share;
        const int picks[2] = {best, next};
        for (int c = 0; c < 2; ++c) {
            int place = filled[picks[c]]++;
            chosen[2 * (size_t)t + c] = picks[c];
            slot[2 * (size_t)t + c] = place < capacity ? place : -1;
        }
    }
    for (int e = 0; e < experts; ++e) load[e] = filled[e];
}
