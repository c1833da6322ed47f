// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void column(const float* x, float* out) {
    __shared__ float tile[16][16];
    const int row = threadIdx.y, col = threadIdx.x;
    tile[row][col] = x[row * 16 + col];
    __syncthreads();
    out[row * 16 + col] = tile[row][col] - tile[row - 1][col];  // finding: shared_oob // twin: out[row * 16 + col] = tile[row][col] - (row > 0 ? tile[row - 1][col] : 0);
}
extern "C" void run(int n, const float* x, float* out) { column<<<1, dim3(16, 16)>>>(x, out); }
