// arrays: a in float32 N*N; b in float32 N*N; out out float32 N*N
// N: 50
template <int EDGE>
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float left[EDGE][EDGE], right[EDGE][EDGE];
    const int ty = threadIdx.y, tx = threadIdx.x;
    const int row = blockIdx.y * EDGE + ty, col = blockIdx.x * EDGE + tx;
    float sum = 0.f;
    for (int first = 0; first < K; first += EDGE) {
        left[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.f;
        right[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EDGE; ++k) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
extern "C" void run(int n, const float* a, const float* b, float* out) {
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    matmul<16><<<grid, block>>>(a, b, out, n, n, n);
}
