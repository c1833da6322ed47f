//// copy of whole records beyond the end | affine | OUT_OF_BOUNDS
// Reads records of sixteen by memcpy; the last one is not whole.
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (16 * r >= n) return;
    float u[16];
    memcpy(u, x + 16 * r, sizeof u);
    for (int j = 0; j < 16 && 16 * r + j < n; ++j) z[16 * r + j] = a * u[j] + y[16 * r + j];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 2047) / 2048, 128>>>(n, a, x, y, z); }

//// fraction of a neighbour's number | wave | OUT_OF_BOUNDS
// frexpf puts the exponent behind the end of scratch.
__global__ void k(int n, const float* x, float* y, int* exponents) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float f = frexpf(x[i], &exponents[i + 1]);
    y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i] + 0 * f;
}
extern "C" void wave(int n, const float* x, float* y) {
    int* exponents;
    cudaMalloc(&exponents, n * sizeof(int));
    k<<<(n + 127) / 128, 128>>>(n, x, y, exponents);
    cudaFree(exponents);
}

//// struct assigned past the end | affine | OUT_OF_BOUNDS
// A record of four floats is copied by its class's assignment; the last one is not whole.
struct Four { float v[4]; };
__global__ void k(int n, float a, const Four* x, const float* y, float* z) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * r >= n) return;
    Four u = x[r];
    for (int j = 0; j < 4 && 4 * r + j < n; ++j) z[4 * r + j] = a * u.v[j] + y[4 * r + j];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<n / 512 + 1, 128>>>(n, a, (const Four*)x, y, z); }

//// unwritten half of a cleared tile | rowsum | UNINITIALISED_READ | gpu UNINITIALISED_READ WRONG_VALUE NON_FINITE
// memset clears half of the tile, in bytes where elements were meant.
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float tile[128];
    if (threadIdx.x == 0) memset(tile, 0, 128);
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += 128) tile[c % 128] = x[blockIdx.x * cols + c];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int c = 0; c < 128; ++c) sum += tile[c];
        y[blockIdx.x] = sum;
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 128>>>(rows, cols, x, y); }

//// honest memory functions | affine | PASSED
// memcpy and memset of constant and other sizes, each inside of what it is given.
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int r = blockIdx.x * blockDim.x + threadIdx.x, left = min(8, n - 8 * r);
    if (left <= 0) return;
    float u[9];
    memset(u, 0, sizeof u);
    memcpy(u, x + 8 * r, left * sizeof(float));
    for (int j = 8; j > 0; --j) u[j] = u[j - 1];
    for (int j = 0; j < left; ++j) u[j + 1] = a * u[j + 1] + y[8 * r + j];
    memcpy(z + 8 * r, u + 1, left * sizeof(float));
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 1023) / 1024, 128>>>(n, a, x, y, z); }
