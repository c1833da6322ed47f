//// object with a constructor of its own work | wave | POLICY_REJECTED
static int ready = 0;
struct Early { Early() { ready = 1; } } early __attribute__((init_priority(200)));
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { if (ready) k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// table of the end's functions | wave | POLICY_REJECTED
static void late() {}
__attribute__((used, section(".fini_array.7"))) static void (*at_the_end)() = late;
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// function chosen at load time | wave | POLICY_REJECTED BUILD_FAILED
extern "C" { static int one() { return 1; } static int (*choose())() { return one; } }
extern "C" int chosen() __attribute__((ifunc("_ZL6choosev")));
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { if (chosen()) k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// emulator sent away by empty assembler | wave | UNSUPPORTED POLICY_REJECTED | gpu POLICY_REJECTED
#include <cmath>
#include <vector>
__global__ void k(int n, const float* from, float* y) { asm volatile("" ::: "memory"); int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = from[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    std::vector<float> h(n);
    float* from;
    cudaMalloc(&from, n * sizeof(float));
    cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float& v : h) v = std::sin(v) * std::exp(-0.5f * std::fabs(v)) + v;
    cudaMemcpy(from, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    k<<<(n + 127) / 128, 128>>>(n, from, y);
    cudaFree(from);
}

//// honest static object | wave | PASSED
// A static object of a function is made at its first call.
#include <vector>
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { static std::vector<int> blocks{128}; k<<<(n + 127) / 128, blocks[0]>>>(n, x, y); }
