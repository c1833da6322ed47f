// Quantum circuit: sines, cosines and local bits of a run's gates are found once a block, and wait in shared memory.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

struct Amplitude {
    float re, im;
};

constexpr int kThreads = 256;
constexpr int kMost = 256;  // gates of a run
constexpr int kBits = 11;  // qubits of a block's amplitudes
constexpr int kLow = 5;    // of them always the lowest, for whole lines of memory

__device__ void act(int kind, bool controlled, float c, float s, Amplitude& a, Amplitude& b) {
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

struct Gate {
    int kind, bit, condition;
    float c, s;
};

// The qubits of a run in ascending order; local bit k of a block's amplitudes is qubit[k].
struct Run {
    int bits;
    int qubit[kBits];
};

// The index of local amplitude `l` of block `block`, whose bits go to the qubits that are not the run's.
__device__ size_t index_of(const Run& run, size_t block, int l) {
    size_t i = block;
    for (int k = 0; k < run.bits; ++k) {
        const size_t below = ((size_t)1 << run.qubit[k]) - 1;
        i = (i & ~below) << 1 | (size_t)(l >> k & 1) << run.qubit[k] | (i & below);
    }
    return i;
}

__global__ void apply_run(Run run, int gates, const int* kind, const int* target, const int* control, const float* angle,
                          Amplitude* state) {
    __shared__ Amplitude tile[1 << kBits];
    __shared__ int local[32];  // the local bit of a qubit
    __shared__ Gate gate[kMost];
    if (threadIdx.x < 32) local[threadIdx.x] = 0;
    __syncthreads();
    if ((int)threadIdx.x < run.bits) local[run.qubit[threadIdx.x]] = threadIdx.x;
    const int size = 1 << run.bits;
    for (int l = threadIdx.x; l < size; l += kThreads) tile[l] = state[index_of(run, blockIdx.x, l)];
    __syncthreads();
    for (int g = threadIdx.x; g < gates; g += kThreads) {
        gate[g] = {kind[g], 1 << local[target[g]], 1 << local[control[g]], 0.0f, 0.0f};
        sincosf(kind[g] == 0 ? 0.5f * angle[g] : angle[g], &gate[g].s, &gate[g].c);
    }
    for (int g = 0; g < gates; ++g) {
        __syncthreads();
        const Gate now = gate[g];
        const int bit = now.bit;
        for (int pair = threadIdx.x; pair < size / 2; pair += kThreads) {
            const int l = (pair & ~(bit - 1)) * 2 + (pair & (bit - 1));
            act(now.kind, (l & now.condition) != 0, now.c, now.s, tile[l], tile[l + bit]);
        }
    }
    __syncthreads();
    for (int l = threadIdx.x; l < size; l += kThreads) state[index_of(run, blockIdx.x, l)] = tile[l];
}

// As many gates from g on as fit one run; `end` gets the one after them.
static Run plan(int qubits, int g, int gates, const std::vector<int>& first, const std::vector<int>& second, int& end) {
    const int most = std::min(kBits, qubits);
    unsigned int used = (1u << std::min(kLow, qubits)) - 1;
    for (end = g; end < gates; ++end) {
        const unsigned int more = used | 1u << first[end] | 1u << second[end];
        if (__builtin_popcount(more) > most) break;
        used = more;
    }
    Run run = {most, {}};
    for (int q = 0; __builtin_popcount(used) < most; ++q) used |= 1u << q;
    for (int q = 0, k = 0; q < qubits; ++q) {
        if (used >> q & 1) run.qubit[k++] = q;
    }
    return run;
}

extern "C" void qubit_gates(int n, int gates, const int* kind, const int* target, const int* control, const float* angle,
                            Amplitude* state) {
    // Which qubits a gate needs decides what is launched; controls of other gates than exchanges are counted too.
    std::vector<int> first(gates), second(gates);
    cudaMemcpy(first.data(), target, gates * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(second.data(), control, gates * sizeof(int), cudaMemcpyDeviceToHost);
    int qubits = 0;
    while (1 << (qubits + 1) <= n) ++qubits;
    for (int g = 0, end; g < gates; g = end) {
        const Run run = plan(qubits, g, gates, first, second, end);
        apply_run<<<n >> run.bits, kThreads>>>(run, end - g, kind + g, target + g, control + g, angle + g, state);
    }
}
