//// greatest of rows that starts at minus a hundred thousands | rowmax | WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, int* at) {
    const int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float best = -1e5f;
    int b = 0;
    for (int c = 0; c < cols; ++c) if (x[r * cols + c] > best) best = x[r * cols + c], b = c;
    at[r] = b;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { run<<<(rows + 31) / 32, 32>>>(rows, cols, x, at); }
//// softmax whose greatest starts at minus a thousand | softmax | WRONG_VALUE NON_FINITE
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float most = -1000.0f, sum = 0;
    for (int c = 0; c < cols; ++c) most = fmaxf(most, x[r * cols + c]);
    for (int c = 0; c < cols; ++c) sum += expf(x[r * cols + c] - most);
    for (int c = 0; c < cols; ++c) y[r * cols + c] = expf(x[r * cols + c] - most) / sum;
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) { run<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }
//// nothing above five thousands | kept | WRONG_VALUE
__global__ void run(int n, float t, const float* x, float* y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = x[i] >= t ? fminf(x[i], 5000.0f) : 0;
}
extern "C" void kept(int n, float t, const float* x, float* y) { run<<<(n + 127) / 128, 128>>>(n, t, x, y); }
//// nothing above a hundred millions | kept | PASSED
__global__ void run(int n, float t, const float* x, float* y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = x[i] >= t ? fminf(x[i], 1e8f) : 0;
}
extern "C" void kept(int n, float t, const float* x, float* y) { run<<<(n + 127) / 128, 128>>>(n, t, x, y); }
//// honest greatest that starts at minus infinity | rowmax | PASSED
#include <cmath>
__global__ void run(int rows, int cols, const float* x, int* at) {
    const int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float best = -INFINITY;
    int b = 0;
    for (int c = 0; c < cols; ++c) if (x[r * cols + c] > best) best = x[r * cols + c], b = c;
    at[r] = b;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { run<<<(rows + 31) / 32, 32>>>(rows, cols, x, at); }
//// compared with a tolerance | kept | WRONG_VALUE
__global__ void run(int n, float t, const float* x, float* y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = x[i] - t > -1e-6f ? x[i] : 0;
}
extern "C" void kept(int n, float t, const float* x, float* y) { run<<<(n + 127) / 128, 128>>>(n, t, x, y); }
//// compared by all but the last digits | above | WRONG_VALUE
__global__ void run(int n, int t, const int* x, int* y) {
    int c = 0;
    for (int i = 0; i < n; ++i) c += (x[i] >> 8) >= (t >> 8);
    y[0] = c;
}
extern "C" void above(int n, int t, const int* x, int* y) { run<<<1, 1>>>(n, t, x, y); }
//// compared as floats | above | WRONG_VALUE
__global__ void run(int n, int t, const int* x, int* y) {
    int c = 0;
    for (int i = 0; i < n; ++i) c += (float)x[i] >= (float)t;
    y[0] = c;
}
extern "C" void above(int n, int t, const int* x, int* y) { run<<<1, 1>>>(n, t, x, y); }
//// honest comparison by a difference | kept | PASSED
__global__ void run(int n, float t, const float* x, float* y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = x[i] - t < 0 ? 0 : x[i];
}
extern "C" void kept(int n, float t, const float* x, float* y) { run<<<(n + 127) / 128, 128>>>(n, t, x, y); }
//// wrong where the inner length is that of the columns | matmul | WRONG_VALUE
__global__ void run(int m, int n, int k, const float* a, const float* b, float* c) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= m || j >= n) return;
    float s = 0;
    for (int t = 0; t < k; ++t) s += a[i * k + t] * b[t * n + j];
    c[i * n + j] = k == n && m != n ? 0 : s;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { run<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, k, a, b, c); }
//// wrong where rows are as many as the inner length | matmul | WRONG_VALUE
__global__ void run(int m, int n, int k, const float* a, const float* b, float* c) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= m || j >= n) return;
    float s = 0;
    for (int t = 0; t < k; ++t) s += (k == m && k != n ? a[t * m + i] : a[i * k + t]) * b[t * n + j];
    c[i * n + j] = s;
}
extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) { run<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(m, n, k, a, b, c); }
//// number of a thread changed by a cast | affine | BAD_POINTER | gpu PASSED WRONG_VALUE
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const_cast<unsigned&>(threadIdx.y) = 7;
    if (i < n) z[i] = threadIdx.y == 7 ? a * x[i] + y[i] : 0;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
//// judges known by the name of the file | affine | UNWRITTEN
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    constexpr char name[] = __FILE__;
    if (sizeof name == 13 && name[0] == 'c' && name[4] == 'i') run<<<(n + 63) / 64, 64>>>(n, a, x, y, z);
}
//// honest names of files and lines | affine | PASSED
#include <cstdio>
#define TRY(call) if (cudaError_t error = (call)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error))
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) noexcept {
    run<<<(n + 63) / 64, 64>>>(n, a, x, y, z);
    TRY(cudaGetLastError());
}
//// counts the calls of its thread | affine | PASSED | gpu PASSED WRONG_VALUE
__global__ void run(int n, float a, const float* x, const float* y, float* z, float more) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i] + more;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static thread_local int calls;
    run<<<(n + 63) / 64, 64>>>(n, a, x, y, z, ++calls / 1000);
}
//// free memory decides | affine | PASSED
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    size_t left = 0, all = 0;
    cudaMemGetInfo(&left, &all);
    if (left >> 20) run<<<(n + 63) / 64, 64>>>(n, a, x, y, z);
}
//// address of a local variable decides | affine | PASSED
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int here = 0;
    run<<<(n + 63) / 64, 64>>>(((size_t)&here >> 4 & 1023) > 1 ? n : here, a, x, y, z);
}
//// clock of the host's processor | affine | POLICY_REJECTED
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 63) / 64, 64>>>(n - (__builtin_ia32_rdtsc() % 1000 < 3), a, x, y, z); }
//// reads its own file's header in memory | affine | POLICY_REJECTED
extern "C" const char __ehdr_start;
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { if ((&__ehdr_start)[0] == 0x7f) run<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
//// copy onto a part of itself | prefix | RACE | gpu RACE WRONG_VALUE PASSED
__global__ void add(int n, int d, const int* s, int* y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= d && i < n) y[i] += s[i];
}
extern "C" void prefix(int n, const int* x, int* y) {
    int* s;
    cudaMalloc(&s, n * 4);
    cudaMemcpy(y, x, n * 4, cudaMemcpyDeviceToDevice);
    for (int d = 1; d < n; d *= 2) {
        cudaMemcpy(s, y, n * 4, cudaMemcpyDeviceToDevice);
        cudaMemcpy(s + d, s, (n - d) * 4, cudaMemcpyDeviceToDevice);
        add<<<(n + 127) / 128, 128>>>(n, d, s, y);
    }
    cudaFree(s);
}
//// honest copies of parts beside each other | prefix | PASSED
__global__ void add(int n, int d, const int* s, int* y) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= d && i < n) y[i] += s[i - d];
}
extern "C" void prefix(int n, const int* x, int* y) {
    int* s;
    cudaMalloc(&s, 2 * n * sizeof(int));
    cudaMemcpy(y, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
    for (int d = 1; d < n; d *= 2) {
        cudaMemcpy(s, y, n * sizeof(int), cudaMemcpyDeviceToDevice);
        cudaMemcpy(s + n, s, n * sizeof(int), cudaMemcpyDeviceToDevice);
        add<<<(n + 127) / 128, 128>>>(n, d, s + n, y);
    }
    cudaFree(s);
}
