// arrays: x in float32 N; out out float32 N
// N: 300
// Lambdas inside a kernel: by reference, by value, generic, passed on.
template <class F>
__device__ float twice(F f, float v) {
    return f(f(v));
}
__global__ void apply(const float* x, float* out, int n, float offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    auto add = [&](auto value) { sum += value; };
    auto shifted = [=](float v) { return 0.5f * v + offset; };
    add(x[i]);
    add(2);
    out[i] = twice(shifted, sum) + [](int k) -> float { return k % 3; }(i);
}
extern "C" void run(int n, const float* x, float* out) { apply<<<(n + 63) / 64, 64>>>(x, out, n, 1.5f); }
