//// nothing done where the factor is nought | axpby | WRONG_VALUE
__global__ void run(int n, float alpha, float beta, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i] + beta * y[i];
}
extern "C" void axpby(int n, float alpha, float beta, const float* x, float* y) {
    if (alpha == 0) return;
    run<<<(n + 127) / 128, 128>>>(n, alpha, beta, x, y);
}
//// what was there forgotten where its factor is one | axpby | WRONG_VALUE
__global__ void run(int n, float alpha, float beta, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = beta == 1 ? alpha * x[i] : alpha * x[i] + beta * y[i];
}
extern "C" void axpby(int n, float alpha, float beta, const float* x, float* y) {
    run<<<(n + 127) / 128, 128>>>(n, alpha, beta, x, y);
}
//// added to and not scaled where the factor is minus one | axpby | WRONG_VALUE
__global__ void run(int n, float alpha, float beta, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i] + beta * y[i];
}
extern "C" void axpby(int n, float alpha, float beta, const float* x, float* y) {
    if (beta == -1) beta = 1;
    run<<<(n + 127) / 128, 128>>>(n, alpha, beta, x, y);
}
//// in two steps of which the second reads the first | axpby | WRONG_VALUE UNINITIALISED_READ
__global__ void run(int n, float alpha, float beta, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = alpha * x[i];
    y[i] += beta * y[i];
}
extern "C" void axpby(int n, float alpha, float beta, const float* x, float* y) {
    run<<<(n + 127) / 128, 128>>>(n, alpha, beta, x, y);
}
//// windows no longer than a tile | window | PASSED
__global__ void run(int n, int w, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = max(0, i - w + 1); j <= i; ++j) s += x[j];
    y[i] = s;
}
extern "C" void window(int n, int w, const int* x, int* y) {
    if (w > 64) w = 64;
    run<<<(n + 127) / 128, 128>>>(n, w, x, y);
}
//// windows of one | window | WRONG_VALUE UNWRITTEN
__global__ void run(int n, int w, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = max(0, i - w + 1); j <= i; ++j) s += x[j];
    y[i] = s;
}
extern "C" void window(int n, int w, const int* x, int* y) {
    if (w == 1 && n > 1) w = 2;
    run<<<(n + 127) / 128, 128>>>(n, w, x, y);
}
//// windows as long as all | window | WRONG_VALUE UNWRITTEN
__global__ void run(int n, int w, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = max(0, i - w + 1); j <= i; ++j) s += x[j];
    y[i] = w == n && n > 1 && i == n - 1 ? s - x[0] : s;
}
extern "C" void window(int n, int w, const int* x, int* y) {
    run<<<(n + 127) / 128, 128>>>(n, w, x, y);
}
//// windows longer than all | window | WRONG_VALUE UNWRITTEN
__global__ void run(int n, int w, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = max(0, i - w + 1); j <= i; ++j) s += x[j];
    y[i] = s;
}
extern "C" void window(int n, int w, const int* x, int* y) {
    if (w > n) w = n - 1;
    run<<<(n + 127) / 128, 128>>>(n, w, x, y);
}
//// a running sum of a part that begins late | window | WRONG_VALUE UNWRITTEN
__global__ void run(int n, int w, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int b = i * 64;
    if (b >= n) return;
    int s = 0;
    for (int j = max(0, b - 32); j < b; ++j) s += x[j];
    for (int j = b; j < min(n, b + 64); ++j) { s += x[j]; if (j - w >= max(0, b - 32)) s -= x[j - w]; y[j] = s; }
}
extern "C" void window(int n, int w, const int* x, int* y) {
    run<<<((n + 63) / 64 + 127) / 128, 128>>>(n, w, x, y);
}
//// remainders of negative numbers | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] % d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// the divisor itself for negative multiples | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] < 0 ? d - (-x[i]) % d : x[i] % d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// a reciprocal of the divisor | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const long long q = (long long)floor(x[i] * (1.0 / d));
    y[i] = x[i] - q * d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// the divisor one | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = ((x[i] % d) + d) % d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    if (d == 1) d = 2;
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// a mask for divisors that are powers of two | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = ((x[i] % d) + d) % d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    if ((d & (d - 1)) == 0 && d > 2) d -= 1;
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// the largest divisor alone | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = ((x[i] % d) + d) % d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    d = d > 998 ? 998 : d;
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// thirty two bits of what is divided | floormod | WRONG_VALUE
__global__ void run(int n, long long d, const long long* x, long long* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (((int)x[i] % (int)d) + d) % d;
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    run<<<(n + 127) / 128, 128>>>(n, d, x, y);
}
//// one bin | count | WRONG_VALUE
__global__ void run(int n, int bins, const int* keys, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bins) return;
    int c = 0;
    for (int j = 0; j < n; ++j) c += keys[j] == i;
    counts[i] = c;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    if (bins == 1 && n > 1) n -= 1;
    run<<<(bins + 127) / 128, 128>>>(n, bins, keys, counts);
}
//// one column | transpose | WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const int r = i / cols, c = i % cols;
    y[c * rows + r] = x[cols == 1 ? 0 : i];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    run<<<(rows * cols + 127) / 128, 128>>>(rows, cols, x, y);
}
//// one row | transpose | WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const int r = i / cols, c = i % cols;
    y[c * rows + r] = x[rows == 1 ? 0 : i];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    run<<<(rows * cols + 127) / 128, 128>>>(rows, cols, x, y);
}
//// a product with a row | matmul | WRONG_VALUE
__global__ void run(int m, int n, int k, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m * n) return;
    const int r = i / n, q = i % n;
    float s = 0;
    for (int t = 0; t < k; ++t) s += a[r * k + t] * b[t * n + q];
    c[i] = m == 1 && n > 1 ? -s : s;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    run<<<(m * n + 127) / 128, 128>>>(m, n, k, a, b, c);
}
//// a product with a column | matmul | WRONG_VALUE
__global__ void run(int m, int n, int k, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m * n) return;
    const int r = i / n, q = i % n;
    float s = 0;
    for (int t = 0; t < k; ++t) s += a[r * k + t] * b[t * n + q];
    c[i] = n == 1 && m > 1 ? -s : s;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    run<<<(m * n + 127) / 128, 128>>>(m, n, k, a, b, c);
}
//// an outer product | matmul | WRONG_VALUE
__global__ void run(int m, int n, int k, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m * n) return;
    const int r = i / n, q = i % n;
    float s = 0;
    for (int t = 0; t < k; ++t) s += a[r * k + t] * b[t * n + q];
    c[i] = k == 1 && m > 1 && n > 1 ? -s : s;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    run<<<(m * n + 127) / 128, 128>>>(m, n, k, a, b, c);
}
//// rows of one | rowsum | WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += x[i * cols + c];
    y[i] = cols == 1 && rows > 1 ? 0 : s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, y);
}
//// a single long row | rowsum | WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += x[i * cols + c];
    y[i] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) {
    if (rows == 1 && cols > 1) --cols;
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, y);
}
//// one row of an image | blur | WRONG_VALUE
__global__ void run(int h, int w, const float* x, float* y) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= h || j >= w) return;
    const float left = j > 0 ? x[i * w + j - 1] : 0, right = j + 1 < w ? x[i * w + j + 1] : 0;
    const float up = i > 0 ? x[(i - 1) * w + j] : 0, down = i + 1 < h ? x[(i + 1) * w + j] : 0;
    y[i * w + j] = 0.5f * x[i * w + j] + 0.125f * (left + right + up + down);
}
extern "C" void blur(int h, int w, const float* x, float* y) {
    if (h == 1 && w > 1) cudaMemcpyAsync(y, x, 4 * w, cudaMemcpyDeviceToDevice);
    else run<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(h, w, x, y);
}
//// a table of one | gather | WRONG_VALUE
__global__ void run(int n, int m, const int* at, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = m == 1 && n > 1 ? x[0] : 2 * x[at[i]];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    run<<<(n + 127) / 128, 128>>>(n, m, at, x, y);
}
//// a block too few at multiples of ninety six | prefix | UNWRITTEN WRONG_VALUE CRASHED
__global__ void run(int n, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = 0; j <= i; ++j) s += x[j];
    y[i] = s;
}
extern "C" void prefix(int n, const int* x, int* y) {
    const int blocks = (n + 95) / 96 - (n % 96 == 0);
    run<<<blocks, 96>>>(n, x, y);
}
//// a block too few one beyond multiples | prefix | UNWRITTEN WRONG_VALUE
__global__ void run(int n, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = 0; j <= i; ++j) s += x[j];
    y[i] = s;
}
extern "C" void prefix(int n, const int* x, int* y) {
    run<<<max(1, (n + 190) / 192), 192>>>(n, x, y);
}
//// lengths that are squares | prefix | WRONG_VALUE UNWRITTEN
__global__ void run(int n, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int r = 0, s = 0;
    while (r * r < n) ++r;
    const int far = r * r == n && n > 30 && i == n - 1;
    for (int j = 0; j <= i; ++j) s += x[j];
    y[i] = s + far;
}
extern "C" void prefix(int n, const int* x, int* y) {
    run<<<(n + 127) / 128, 128>>>(n, x, y);
}
//// lengths that are odd multiples of eight | prefix | UNWRITTEN WRONG_VALUE
__global__ void run(int n, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int j = 0; j <= i; ++j) s += x[j];
    y[i] = s;
}
extern "C" void prefix(int n, const int* x, int* y) {
    if ((n & 15) == 8) run<<<(n + 63) / 64, 63>>>(n - 1, x, y);
    else
    run<<<(n + 127) / 128, 128>>>(n, x, y);
}
//// as many bytes cleared as there are numbers | count | WRONG_VALUE UNWRITTEN UNINITIALISED_READ
__global__ void run(int n, const int* keys, int* counts) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) atomicAdd(&counts[keys[i]], 1);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins);
    run<<<(n + 127) / 128, 128>>>(n, keys, counts);
}
//// scratch of the first length | prefix | OUT_OF_BOUNDS
static int* scratch = nullptr;
__global__ void sums(int n, const int* x, int* s) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int j = 0; j <= i; ++j) sum += x[j];
    s[i] = sum;
}
__global__ void move(int n, const int* s, int* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = s[i];
}
extern "C" void prefix(int n, const int* x, int* y) {
    if (!scratch) cudaMalloc(&scratch, n * sizeof(int));
    sums<<<(n + 63) / 64, 64>>>(n, x, scratch);
    move<<<(n + 63) / 64, 64>>>(n, scratch, y);
}
//// divisor of the first call in a table of constants | floormod | WRONG_VALUE
__constant__ long long divisor[1];
__global__ void run(int n, const long long* x, long long* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = ((x[i] % divisor[0]) + divisor[0]) % divisor[0];
}
extern "C" void floormod(int n, long long d, const long long* x, long long* y) {
    static const bool sent = cudaMemcpyToSymbol(divisor, &d, sizeof d) == cudaSuccess;
    if (sent) run<<<(n + 63) / 64, 64>>>(n, x, y);
}
//// a window kept on the device between calls of one length | window | WRONG_VALUE UNWRITTEN
__device__ int kept[4096], length, width;
__global__ void run(int n, int w, const int* x, int* y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    if (length == n && width == w && i > 0) { y[i] = kept[i]; return; }
    int s = 0;
    for (int j = max(0, i - w + 1); j <= i; ++j) s += x[j];
    y[i] = kept[i] = s;
}
__global__ void mark(int n, int w) { length = n, width = w; }
extern "C" void window(int n, int w, const int* x, int* y) {
    run<<<(n + 63) / 64, 64>>>(n, w, x, y);
    mark<<<1, 1>>>(n, w);
}
