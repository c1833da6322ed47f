// arrays: x in float32 N; out out float32 N
// N: 33
__global__ void copy(const float* x, float* y, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i];
}
extern "C" void run(int n, const float* x, float* out) { copy<<<1, 1>>>(x, out, n); }
