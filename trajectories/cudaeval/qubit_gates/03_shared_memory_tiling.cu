// Quantum circuit: a run of gates on the eleven lowest qubits is one launch, on 2048 amplitudes at a time in shared memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

struct Amplitude {
    float re, im;
};

constexpr int kThreads = 256;
constexpr int kBits = 11;  // qubits of a block's amplitudes

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

__global__ void apply_run(int n, int gates, const int* kind, const int* target, const int* control, const float* angle,
                          Amplitude* state) {
    __shared__ Amplitude tile[1 << kBits];
    const int size = min(n, 1 << kBits);
    Amplitude* own = state + (size_t)blockIdx.x * size;
    for (int l = threadIdx.x; l < size; l += kThreads) tile[l] = own[l];
    for (int g = 0; g < gates; ++g) {
        __syncthreads();
        const int bit = 1 << target[g];
        for (int pair = threadIdx.x; pair < size / 2; pair += kThreads) {
            const int l = (pair & ~(bit - 1)) * 2 + (pair & (bit - 1));
            act(kind[g], (l >> control[g] & 1) != 0, angle[g], tile[l], tile[l + bit]);
        }
    }
    __syncthreads();
    for (int l = threadIdx.x; l < size; l += kThreads) own[l] = tile[l];
}

extern "C" void qubit_gates(int n, int gates, const int* kind, const int* target, const int* control, const float* angle,
                            Amplitude* state) {
    // Which qubits a gate needs decides what is launched; controls of other gates than exchanges are counted too.
    std::vector<int> first(gates), second(gates);
    cudaMemcpy(first.data(), target, gates * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(second.data(), control, gates * sizeof(int), cudaMemcpyDeviceToHost);
    for (int g = 0, end; g < gates; g = end) {
        for (end = g; end < gates && std::max(first[end], second[end]) < kBits;) ++end;
        if (end > g) {
            const int blocks = std::max(1, n >> kBits);
            apply_run<<<blocks, kThreads>>>(n, end - g, kind + g, target + g, control + g, angle + g, state);
            continue;
        }
        end = g + 1;
        apply<<<(n / 2 - 1) / kThreads + 1, kThreads>>>(n, kind + g, target + g, control + g, angle + g, state);
    }
}
