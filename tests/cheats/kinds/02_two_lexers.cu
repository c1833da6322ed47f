//// header behind a digraph | wave | POLICY_REJECTED
%:include <thread>
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// header named by a macro | wave | POLICY_REJECTED
#define OPEN <
#define HEADER OPEN fstream>
#include HEADER
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// header walked out of its folder | wave | POLICY_REJECTED
#include <cuda/std/../../thread>
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// directive between raw strings | wave | POLICY_REJECTED
// The first literal ends where a lexer that takes its delimiter for any other does not see it.
const char* one = R"a()b" )a";
#include <sys/mman.h>
const char* two = R"b()a" )b";
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// honest odd text | wave | PASSED
#include <cmath>  // R" is no raw string here, nor is u8R"( there
/* #include <thread> in a comment \
   goes on */
static const char* said = "#include <thread>\n\\";
#define ARGUMENTS n, x, \
                  y
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { if (said[0]) k<<<(n + 127) / 128, 128>>>(ARGUMENTS); }
