// arrays: x in int32 N; out out int32 N*6
// N: 64
__global__ void all(const int* x, int* out, int n) {
    const int i = threadIdx.x, v = x[i];
    out[i] = __reduce_add_sync(~0u, v);
    out[n + i] = __reduce_max_sync(~0u, v);
    out[2 * n + i] = (int)__match_any_sync(~0u, v % 4);
    out[3 * n + i] = __all_sync(~0u, v >= 0) + 2 * __any_sync(~0u, v == 12345);
    out[4 * n + i] = __shfl_up_sync(~0u, v, 1);
    out[5 * n + i] = (int)__byte_perm((unsigned)v, 0u, 0x0123) + __dp4a(v, 0x01010101, 3) + __popc(v) + __clz(v | 1);
}
extern "C" void run(int n, const int* x, int* out) { all<<<1, n>>>(x, out, n); }
