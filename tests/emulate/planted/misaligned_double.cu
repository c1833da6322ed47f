// arrays: x in float32 N; out out float32 N
// N: 65

__global__ void pack(const float* x, float* out, int n) {
    const int i = threadIdx.x;
    if (2 * i + 2 < n) *(double*)(out + 2 * i + 1) = x[i];  // finding: misaligned // twin: if (2 * i + 2 < n) *(double*)(out + 2 * i) = x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    cudaMemset(out, 0, n * sizeof(float));
    pack<<<1, 32>>>(x, out, n);
}
