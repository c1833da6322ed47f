// arrays: x in int32 N; out out int32 N
// N: 96
struct Three {
    int a, b, c;
};
__device__ __noinline__ int sum(Three t) { return t.a + t.b + t.c; }
__global__ void k(const int* x, int* out) {
    const int i = threadIdx.x;
    out[i] = sum(((const Three*)x)[i + 1]);  // finding: global_oob // twin: out[i] = sum(((const Three*)x)[i]);
}
extern "C" void run(int n, const int* x, int* out) {
    cudaMemset(out, 0, n * sizeof(int));
    k<<<1, 32>>>(x, out);
}
