// arrays: x in int32 N; out out int32 N
// N: 200
// Words that look like features: variables, functions and members of the program's own.
namespace cub {
__device__ int half(int value) { return value / 2; }
}
struct Texture {
    int tex2D, surface;
};
__device__ int mma_sync(int a, int b, int c) { return a * b + c; }
#if 0
asm volatile("exit;");
#endif
__global__ void words(const int* x, int* out, int n) {  // asm("nop"); wmma::fill
    int i = blockIdx.x * blockDim.x + threadIdx.x, half = n / 2, cluster_group = 3;
    if (i >= n) return;
    Texture texture{x[i], 2};
    out[i] = mma_sync(texture.tex2D, texture.surface, half) + cub::half(cluster_group * 10);
}
extern "C" void run(int n, const int* x, int* out) { words<<<(n + 63) / 64, 64>>>(x, out, n); }
