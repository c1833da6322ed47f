// arrays: x in float64 N; out out float64 N
// N: 130
__device__ __noinline__ double2 doubled(double2 v) { return {2 * v.x, 2 * v.y}; }
__global__ void k(const double* x, double* out) {
    const int i = threadIdx.x;
    const double2 v = doubled(*(const double2*)(x + 2 * i));
    *(double2*)(out + 1 + 2 * i) = doubled(v);  // finding: misaligned // twin: *(double2*)(out + 2 * i) = doubled(v);
}
extern "C" void run(int n, const double* x, double* out) {
    cudaMemset(out, 0, n * sizeof(double));
    k<<<1, 64>>>(x, out);
}
