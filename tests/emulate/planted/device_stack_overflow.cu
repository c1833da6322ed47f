// arrays: x in int32 N; out out int32 N
// N: 32
__device__ int depth(int n, volatile int* above) {
    volatile int mine[512];  // finding: stack_overflow
    mine[n % 512] = above[0] + 1;  // finding: stack_overflow
    return n < 0 ? 0 : depth(n + 1, mine) + mine[n % 7];  // finding: stack_overflow // twin: return n > 3 ? 0 : depth(n + 1, mine) + mine[n % 7];
}
__global__ void descend(const int* x, int* out) {
    volatile int start = x[threadIdx.x];
    out[threadIdx.x] = depth(1, &start);
}
extern "C" void run(int n, const int* x, int* out) { descend<<<1, n>>>(x, out); }
