// arrays: x in int32 N; out out int32 N
// N: 32
struct Three {
    int a, b, c;
};
__device__ __noinline__ Three three_of(int v) { return {v, v + 1, v + 2}; }
__global__ void k(const int* x, int* out) {
    __shared__ Three all[32];
    const int i = threadIdx.x;
    all[i / 2] = three_of(x[i] + i);  // finding: race_shared_ww // twin: all[i] = three_of(x[i] + i);
    __syncwarp();
    out[i] = all[i / 2].a;
}
extern "C" void run(int n, const int* x, int* out) { k<<<1, 32>>>(x, out); }
