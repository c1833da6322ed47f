// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void blur(const float* x, float* out) {
    __shared__ float tile[66];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x + 1] = x[i];
    if (threadIdx.x == 0) tile[0] = blockIdx.x > 0 ? x[i - 1] : 0;  // twin: if (threadIdx.x == 0) tile[0] = blockIdx.x > 0 ? x[i - 1] : 0, tile[65] = blockIdx.x < 3 ? x[i + 64] : 0;
    __syncthreads();
    out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // finding: uninit_read_shared
}
extern "C" void run(int n, const float* x, float* out) { blur<<<n / 64, 64>>>(x, out); }
