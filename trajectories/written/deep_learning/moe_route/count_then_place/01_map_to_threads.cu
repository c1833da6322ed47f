// Expert routing: one thread per token for the choice, one thread per expert for the places.
#include <cuda_runtime.h>

__global__ void choose(int tokens, int experts, const float* logits, int* chosen, float* gate) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tokens) return;
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
    float share = 1.0f / (1.0f + expf(score[next] - score[best]));
    gate[2 * t] = share;
    gate[2 * t + 1] = 1.0f - share;
    chosen[2 * t] = best;
    chosen[2 * t + 1] = next;
}

__global__ void place(int choices, int experts, int capacity, const int* chosen, int* slot, int* load) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= experts) return;
    int filled = 0;
    for (int i = 0; i < choices; ++i) {
        if (chosen[i] != e) continue;
        slot[i] = filled < capacity ? filled : -1;
        ++filled;
    }
    load[e] = filled;
}

extern "C" void moe_route(int tokens, int experts, int capacity, const float* logits, int* chosen, float* gate,
                          int* slot, int* load) {
    const int threads = 256;
    choose<<<(tokens - 1) / threads + 1, threads>>>(tokens, experts, logits, chosen, gate);
    place<<<(experts - 1) / 32 + 1, 32>>>(2 * tokens, experts, capacity, chosen, slot, load);
}
