// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
static int depth(int n, volatile int* above) {
    volatile int mine[256];  // finding: stack_overflow
    mine[n % 256] = above[0] + 1;  // finding: stack_overflow
    return n < 0 ? 0 : depth(n + 1, mine) + mine[n % 7];  // finding: stack_overflow // twin: return n > 66 ? 0 : depth(n + 1, mine) + mine[n % 7];
}
extern "C" void run(int n, const float* x, float* out) {
    volatile int start = 0;
    copy<<<1, n>>>(x, out);
    if (depth(n, &start) == 3) copy<<<1, n>>>(x, out);
}
