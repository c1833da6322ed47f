// arrays: x in int32 N; count out int32 1; out out int32 N
// N: 5000
// Keeps what is above 50. The order depends on the schedule, so the block's output is only its count and a sorted comparison.
__global__ void compact(const int* in, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int v = i < n ? in[i] : 0;
    bool keep = i < n && v > 50;
    unsigned m = __ballot_sync(0xffffffffu, keep);
    int base = 0;
    if (lane == 0 && m) base = atomicAdd(count, __popc(m));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keep) out[base + __popc(m & ((1u << lane) - 1))] = v;
}
extern "C" void run(int n, const int* x, int* count, int* out) {
    cudaMemset(count, 0, sizeof(int));
    cudaMemset(out, 0, n * sizeof(int));
    compact<<<(n + 255) / 256, 256>>>(x, out, count, n);
}
