// arrays: x in int32 N; out out int32 N
// N: 32
__global__ void k(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16) v = __shfl_down_sync(0xffff, v, 1);  // finding: shuffle_inactive_source
    out[threadIdx.x] = v;
}
extern "C" void run(int n, const int* x, int* out) { k<<<1, 32>>>(out); }
