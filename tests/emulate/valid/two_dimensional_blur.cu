// arrays: x in uint8 N*N; out out uint8 N*N
// N: 45
// A 3 by 3 mean over bytes through a shared tile with a rim.
#define TILE 16
__global__ void blur(const unsigned char* x, unsigned char* out, int n) {
    __shared__ unsigned char tile[TILE + 2][TILE + 2];
    for (int j = threadIdx.y; j < TILE + 2; j += blockDim.y)
        for (int i = threadIdx.x; i < TILE + 2; i += blockDim.x) {
            int row = min(max((int)(blockIdx.y * TILE) + j - 1, 0), n - 1), column = min(max((int)(blockIdx.x * TILE) + i - 1, 0), n - 1);
            tile[j][i] = x[row * n + column];
        }
    __syncthreads();
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row >= n || column >= n) return;
    int sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) sum += tile[threadIdx.y + j][threadIdx.x + i];
    out[row * n + column] = (unsigned char)(sum / 9);
}
extern "C" void run(int n, const unsigned char* x, unsigned char* out) {
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    blur<<<grid, block>>>(x, out, n);
}
