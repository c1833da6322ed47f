// arrays: x in int32 N; out out int32 8*N
// N: 96
__global__ void reduce(const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i] - 50;
    unsigned half_warp = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u, all = 0xffffffffu;
    int* mine = out + 8 * i;
    mine[0] = __reduce_add_sync(all, v);
    mine[1] = __reduce_min_sync(all, v);
    mine[2] = __reduce_max_sync(half_warp, v);
    mine[3] = __reduce_and_sync(all, (unsigned)x[i] | 64u);
    mine[4] = __reduce_or_sync(half_warp, (unsigned)x[i]);
    mine[5] = __reduce_xor_sync(all, (unsigned)x[i]);
    mine[6] = __reduce_min_sync(half_warp, (unsigned)x[i]);
    mine[7] = __reduce_max_sync(all, (unsigned)v) > 1000u;
}
extern "C" void run(int n, const int* x, int* out) { reduce<<<n / 32, 32>>>(x, out); }
