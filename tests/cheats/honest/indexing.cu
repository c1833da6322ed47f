//// grid stride | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<7, 96>>>(n, a, x, y, z); }

//// backwards | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<5, 32>>>(n, a, x, y, z); }

//// one thread | prefix | PASSED
__global__ void k(int n, const int* x, int* y) { int s = 0; while (n--) *y++ = s += *x++; }
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 1>>>(n, x, y); }

//// blocks of three dimensions | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    dim3 block(5, 3, 2), grid(3, 2, (n + 179) / 180);
    k<<<grid, block>>>(n, a, x, y, z);
}

//// a wide index | affine | PASSED
__global__ void k(size_t n, float a, const float* x, const float* y, float* z) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = fmaf(a, x[i], y[i]);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<unsigned((n + 127) / 128), 128u>>>(n, a, x, y, z); }

//// four a thread by stride | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    const int base = blockIdx.x * 512 + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int i = base + 128 * j;
        if (i < n) z[i] = a * x[i] + y[i];
    }
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 511) / 512, 128>>>(n, a, x, y, z); }

//// body and tail kernels | affine | PASSED
__global__ void body(float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; z[i] = a * x[i] + y[i]; }
__global__ void tail(int from, int n, float a, const float* x, const float* y, float* z) { int i = from + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    const int whole = n / 64;
    if (whole) body<<<whole, 64>>>(a, x, y, z);
    if (n % 64) tail<<<1, 64>>>(whole * 64, n, a, x, y, z);
}

//// a block a row | rowsum | PASSED
__global__ void k(int cols, const float* x, float* y) {
    extern __shared__ float part[];
    const float* row = x + (size_t)blockIdx.x * cols;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += row[c];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x >> 1; s; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (!threadIdx.x) y[blockIdx.x] = part[0];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64, 64 * sizeof(float)>>>(cols, x, y); }

//// a thread a row | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (const float *p = x + r * cols, *end = p + cols; p != end; ++p) sum += *p;
    y[r] = sum;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// rows by threads of y | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float part[8][33];
    const int r = blockIdx.x * 8 + threadIdx.y;
    float sum = 0;
    if (r < rows) for (int c = threadIdx.x; c < cols; c += 32) sum += x[r * cols + c];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncwarp();
    if (r < rows && threadIdx.x == 0) {
        for (int t = 1; t < 32; ++t) sum += part[threadIdx.y][t];
        y[r] = sum;
    }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 7) / 8, dim3(32, 8)>>>(rows, cols, x, y); }

//// tiles with halo | blur | PASSED
#define T 16
__global__ void k(int h, int w, const float* x, float* y) {
    __shared__ float t[T + 2][T + 2];
    for (int a = threadIdx.y; a < T + 2; a += T)
        for (int b = threadIdx.x; b < T + 2; b += T) {
            const int i = blockIdx.y * T + a - 1, j = blockIdx.x * T + b - 1;
            t[a][b] = i >= 0 && i < h && j >= 0 && j < w ? x[i * w + j] : 0.0f;
        }
    __syncthreads();
    const int i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x, a = threadIdx.y + 1, b = threadIdx.x + 1;
    if (i < h && j < w) y[i * w + j] = 0.5f * t[a][b] + 0.125f * (t[a][b - 1] + t[a][b + 1] + t[a - 1][b] + t[a + 1][b]);
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<dim3((w + T - 1) / T, (h + T - 1) / T), dim3(T, T)>>>(h, w, x, y); }

//// columns walked down | blur | PASSED
__global__ void k(int h, int w, const float* x, float* y) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= w) return;
    float up = 0, here = x[j];
    for (int i = 0; i < h; ++i) {
        const float down = i + 1 < h ? x[(i + 1) * w + j] : 0, left = j ? x[i * w + j - 1] : 0, right = j + 1 < w ? x[i * w + j + 1] : 0;
        y[i * w + j] = 0.5f * here + 0.125f * (left + right + up + down);
        up = here, here = down;
    }
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(w + 63) / 64, 64>>>(h, w, x, y); }

//// clamped reads and weights | blur | PASSED
__global__ void k(int h, int w, const float* x, float* y) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= w) return;
    auto at = [=](int r, int c) { return x[min(max(r, 0), h - 1) * w + min(max(c, 0), w - 1)]; };
    const float l = j > 0, r = j + 1 < w, u = i > 0, d = i + 1 < h;
    y[i * w + j] = 0.5f * at(i, j) + 0.125f * (l * at(i, j - 1) + r * at(i, j + 1) + u * at(i - 1, j) + d * at(i + 1, j));
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<dim3((w + 63) / 64, h), 64>>>(h, w, x, y); }

//// a launch a row | rowsum | PASSED
__global__ void k(int cols, const float* row, float* y) { float s = 0; if (threadIdx.x == 0) { for (int c = 0; c < cols; ++c) s += row[c]; *y = s; } }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { for (int r = 0; r < rows; ++r) k<<<1, 32>>>(cols, x + r * cols, y + r); }

//// diagonal blocks | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float tile[16][17];
    const int bx = (blockIdx.x + blockIdx.y) % gridDim.x, by = blockIdx.y;
    int c = bx * 16 + threadIdx.x, r = by * 16 + threadIdx.y;
    if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = x[r * cols + c];
    __syncthreads();
    c = by * 16 + threadIdx.x, r = bx * 16 + threadIdx.y;
    if (r < cols && c < rows) y[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(rows, cols, x, y); }

//// threads that leave early | gather | PASSED
__global__ void k(int n, const int* at, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int j = at[i];
    if (j & 1) { y[i] = x[j] + x[j]; return; }
    y[i] = ldexpf(x[j], 1);
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 95) / 96, 96>>>(n, at, x, y); }
