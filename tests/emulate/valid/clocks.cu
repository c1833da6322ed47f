// arrays: x in int32 N; out out int32 N
// N: 64
// A clock may be read; the result must not depend on it.
__global__ void timed(const int* x, int* out, long long* ticks) {
    long long start = clock64();
    clock_t before = clock();
    out[threadIdx.x] = 3 * x[threadIdx.x];
    __nanosleep(20);
    if (clock64() < start || clock() - before < 0) out[threadIdx.x] = -1;
    ticks[threadIdx.x] = clock64() - start;
}
extern "C" void run(int n, const int* x, int* out) {
    long long* ticks;
    cudaMalloc(&ticks, n * sizeof(long long));
    timed<<<1, n>>>(x, out, ticks);
    cudaFree(ticks);
}
