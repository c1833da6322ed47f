// arrays: a in float32 N*N; b in float32 N*N; out out float32 N*N
// N: 64
// Tiles in shared memory, 4 by 4 results a thread, loads of float4.
#define TILE 32
__global__ void __launch_bounds__(64) product(const float* __restrict__ a, const float* __restrict__ b, float* out, int n) {
    __shared__ __align__(16) float as[TILE][TILE + 4], bs[TILE][TILE];
    int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
    float sums[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE / 4; i += blockDim.x) {
            int row = i / 8, column = i % 8 * 4;
            *(float4*)&as[row][column] = *(const float4*)&a[(blockIdx.y * TILE + row) * n + k0 + column];
            *(float4*)&bs[row][column] = *(const float4*)&b[(k0 + row) * n + blockIdx.x * TILE + column];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sums[i][j] += as[4 * ty + i][k] * bs[k][4 * tx + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        float4 line = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        *(float4*)&out[(blockIdx.y * TILE + 4 * ty + i) * n + blockIdx.x * TILE + 4 * tx] = line;
    }
}
extern "C" void run(int n, const float* a, const float* b, float* out) { product<<<dim3(n / TILE, n / TILE), 64>>>(a, b, out, n); }
