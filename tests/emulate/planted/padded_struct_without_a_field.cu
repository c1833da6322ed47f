// arrays: x in int64 N; out out int64 N
// N: 128
// The padding needs no value, the last field does.
struct Total {
    long long sum;
    int count;
};
__global__ void totals(const long long* x, long long* out) {
    __shared__ Total part[64];
    const int me = threadIdx.x;
    part[me].sum = x[blockIdx.x * 64 + me];  // twin: part[me].sum = x[blockIdx.x * 64 + me], part[me].count = 1;
    __syncthreads();
    const Total mirrored = part[63 - me];  // finding: uninit_read_shared
    out[blockIdx.x * 64 + me] = mirrored.sum + mirrored.count;  // finding: uninit_read_shared
}
extern "C" void run(int n, const long long* x, long long* out) { totals<<<n / 64, 64>>>(x, out); }
