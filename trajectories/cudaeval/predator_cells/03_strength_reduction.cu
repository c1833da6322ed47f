// Cells: the room's reciprocal is taken once, and u / (1 + u) is one fast reciprocal a slope.
#include <cuda_runtime.h>

struct Rate { float growth, room, eat, gain, die; };
struct State { float u, v; };

__device__ State slope(Rate r, float u, float v) {
    const float met = u * v * __fdividef(1.0f, 1 + u);
    return {r.growth * u * (1 - u * r.room) - r.eat * met, r.gain * met - r.die * v};
}

__global__ void run(int cells, int steps, float dt, const Rate* __restrict__ rate, State* __restrict__ state, float* __restrict__ peak) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cells) return;
    Rate r = rate[c];
    r.room = 1 / r.room;
    State s = state[c];
    const float half = dt / 2, sixth = dt / 6;
    float most = 0;
    for (int k = 0; k < steps; ++k) {
        const State a = slope(r, s.u, s.v), b = slope(r, s.u + a.u * half, s.v + a.v * half);
        const State d = slope(r, s.u + b.u * half, s.v + b.v * half), e = slope(r, s.u + d.u * dt, s.v + d.v * dt);
        s.u += (a.u + 2 * (b.u + d.u) + e.u) * sixth;
        s.v += (a.v + 2 * (b.v + d.v) + e.v) * sixth;
        most = fmaxf(most, s.v);
    }
    state[c] = s;
    peak[c] = most;
}

extern "C" void predator_cells(int cells, int steps, float dt, const Rate* rate, State* state, float* peak) {
    run<<<(cells + 255) / 256, 256>>>(cells, steps, dt, rate, state, peak);
}
