// arrays: x in float32 N*N; out out float32 N*N
// N: 96
#define PAD 1
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float patch[32][32 + PAD];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32, lane = threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8) patch[row][lane] = in[(top + row) * n + left + lane];
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8) out[(left + row) * n + top + lane] = patch[lane][row];
}
extern "C" void run(int n, const float* x, float* out) {
    transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(x, out, n);
}
