// Cells: a cell's state stays in registers through all steps.
#include <cuda_runtime.h>

struct Rate { float growth, room, eat, gain, die; };
struct State { float u, v; };

__device__ State slope(Rate r, float u, float v) {
    const float met = u * v / (1 + u);
    return {r.growth * u * (1 - u / r.room) - r.eat * met, r.gain * met - r.die * v};
}

__device__ State advance(Rate r, State s, float dt) {
    const State a = slope(r, s.u, s.v), b = slope(r, s.u + a.u * dt / 2, s.v + a.v * dt / 2);
    const State d = slope(r, s.u + b.u * dt / 2, s.v + b.v * dt / 2), e = slope(r, s.u + d.u * dt, s.v + d.v * dt);
    return {s.u + (a.u + 2 * (b.u + d.u) + e.u) * dt / 6, s.v + (a.v + 2 * (b.v + d.v) + e.v) * dt / 6};
}

__global__ void run(int cells, int steps, float dt, const Rate* rate, State* state, float* peak) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cells) return;
    const Rate r = rate[c];
    State s = state[c];
    float most = 0;
    for (int k = 0; k < steps; ++k) {
        s = advance(r, s, dt);
        most = fmaxf(most, s.v);
    }
    state[c] = s;
    peak[c] = most;
}

extern "C" void predator_cells(int cells, int steps, float dt, const Rate* rate, State* state, float* peak) {
    run<<<(cells + 255) / 256, 256>>>(cells, steps, dt, rate, state, peak);
}
