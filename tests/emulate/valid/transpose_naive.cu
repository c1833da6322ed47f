// arrays: x in float32 N*N; out out float32 N*N
// N: 96
__global__ void transpose(const float* in, float* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}
extern "C" void run(int n, const float* x, float* out) {
    transpose<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(x, out, n);
}
