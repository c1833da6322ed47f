// arrays: x in float32 N; out out float32 N
// N: 256
// Parameter packs, constexpr branches, non-type parameters, a struct of operations.
struct Plus {
    static __device__ float of(float a, float b) { return a + b; }
};
struct Largest {
    static __device__ float of(float a, float b) { return a > b ? a : b; }
};
template <class... T>
__device__ float sum_of(T... values) {
    return (0.0f + ... + (float)values);
}
template <class Operation, int Width, bool Negate = false>
__global__ void windows(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
#pragma unroll
    for (int k = 1; k < Width; k++) v = Operation::of(v, x[(i + k) % n]);
    if constexpr (Negate)
        out[i] = sum_of(out[i], -v, 1, 2.0);
    else
        out[i] = v;
}
extern "C" void run(int n, const float* x, float* out) {
    windows<Plus, 3><<<(n + 63) / 64, 64>>>(x, out, n);
    windows<Largest, 4, true><<<(n + 63) / 64, 64>>>(x, out, n);
}
