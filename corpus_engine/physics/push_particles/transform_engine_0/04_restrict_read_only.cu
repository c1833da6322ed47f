#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// push_particles: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// loop_unrolling(factor 4): innermost loops unrolled.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void push_particles_1_map(int n, int steps, float dt, float trap, float field,
                                     float* __restrict__ particles) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int i = blockIdx.x * 512 + threadIdx.x + part * 256;
        if (i < n) {
#pragma unroll 4
            for (int step = 0; step < steps; ++step) {
                const float ax =
                    -trap * particles[6 * (unsigned long long)i] + field * particles[6 * (unsigned long long)i + 4];
                const float ay =
                    -trap * particles[6 * (unsigned long long)i + 1] - field * particles[6 * (unsigned long long)i + 3];
                const float az = -trap * particles[6 * (unsigned long long)i + 2];
                particles[6 * (unsigned long long)i + 3] += dt * ax;
                particles[6 * (unsigned long long)i + 4] += dt * ay;
                particles[6 * (unsigned long long)i + 5] += dt * az;
                particles[6 * (unsigned long long)i] += dt * particles[6 * (unsigned long long)i + 3];
                particles[6 * (unsigned long long)i + 1] += dt * particles[6 * (unsigned long long)i + 4];
                particles[6 * (unsigned long long)i + 2] += dt * particles[6 * (unsigned long long)i + 5];
            }
        }
    }
}

extern "C" void push_particles(int n, int steps, float dt, float trap, float field, float* particles) {
    if (n >= 1 && steps >= 1) {
        push_particles_1_map<<<(n - 1) / 512 + 1, 256>>>(n, steps, dt, trap, field, particles);
    }
}