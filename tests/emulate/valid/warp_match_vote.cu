// arrays: x in int32 N; out out int32 6*N
// N: 128
__global__ void match(const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = x[i];
    unsigned all = 0xffffffffu;
    int same = 0;
    out[6 * i] = __match_any_sync(all, v % 5);
    out[6 * i + 1] = __match_any_sync(all, (long long)(v % 2) << 40);
    out[6 * i + 2] = __match_all_sync(all, v % 2, &same) != 0;
    out[6 * i + 3] = same;
    unsigned group = lane < 8 ? 0xffu : 0xffffff00u;
    out[6 * i + 4] = __any_sync(group, v > 90) + 2 * __all_sync(group, v > 5);
    out[6 * i + 5] = __popc(__ballot_sync(group, v % 2)) + 100 * __ffs(__ballot_sync(group, 1));
}
extern "C" void run(int n, const int* x, int* out) { match<<<n / 64, 64>>>(x, out); }
