// Quantum circuit: a thread a pair of amplitudes, whose first index has a 0 put in at the gate's bit.
#include <cuda_runtime.h>

struct Amplitude {
    float re, im;
};

constexpr int kThreads = 256;

__device__ void act(int kind, bool controlled, float angle, Amplitude& a, Amplitude& b) {
    float s, c;
    sincosf(kind == 0 ? 0.5f * angle : angle, &s, &c);
    const Amplitude old = a;
    if (kind == 0) {
        a = {c * a.re + s * b.im, c * a.im - s * b.re};
        b = {c * b.re + s * old.im, c * b.im - s * old.re};
    } else if (kind == 1) {
        b = {c * b.re - s * b.im, c * b.im + s * b.re};
    } else if (controlled) {
        a = b;
        b = old;
    }
}

__global__ void apply(int n, const int* kind, const int* target, const int* control, const float* angle, Amplitude* state) {
    const int pair = blockIdx.x * kThreads + threadIdx.x, bit = 1 << *target;
    if (pair >= n / 2) return;
    const int i = (pair & ~(bit - 1)) * 2 + (pair & (bit - 1));
    act(*kind, (i >> *control & 1) != 0, *angle, state[i], state[i + bit]);
}

extern "C" void qubit_gates(int n, int gates, const int* kind, const int* target, const int* control, const float* angle,
                            Amplitude* state) {
    for (int g = 0; g < gates; ++g) {
        apply<<<(n / 2 - 1) / kThreads + 1, kThreads>>>(n, kind + g, target + g, control + g, angle + g, state);
    }
}
