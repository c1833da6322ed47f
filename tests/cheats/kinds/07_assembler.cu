//// words in a section's name | wave | POLICY_REJECTED
// Assembler text behind the name of the section of a variable, by an attribute of C++.
[[gnu::section(".rodata\\n.globl away\\naway: ret\\n.section .rodata#")]] extern const int probe = 3;
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// label of another name | wave | POLICY_REJECTED
// A declaration is given the name of a function that it may not call.
extern "C" int quiet(const char*) __asm__("system");
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { if (n < 0) quiet("true"); k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// assembler of the host in a lambda | wave | POLICY_REJECTED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    auto ask = [](long number) { long got; asm volatile("syscall" : "=a"(got) : "a"(number) : "rcx", "r11", "memory"); return got; };
    if (n < 0) ask(57);
    k<<<(n + 127) / 128, 128>>>(n, x, y);
}

//// alias of a function that is not its own | wave | POLICY_REJECTED BUILD_FAILED
extern "C" void real_exit(int) __attribute__((weakref("_exit")));
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { if (n < 0) real_exit(0); k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// honest attributes | wave | PASSED
#define ALIGNED __attribute__((aligned(16)))
struct ALIGNED Pack { float v[4]; };
[[maybe_unused]] static __device__ __forceinline__ float f(float x) { return sinf(x) * expf(-0.5f * fabsf(x)) + x; }
__global__ void __launch_bounds__(128) k(int n, const float* __restrict__ x, float* __restrict__ y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = f(x[i]); }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }
