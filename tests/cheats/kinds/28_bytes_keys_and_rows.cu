//// signs of the highest bit | hashed | WRONG_VALUE
__global__ void run(int n, unsigned seed, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (int)((x[i] ^ seed) * 2654435761u) % 1000003;
}
extern "C" void hashed(int n, unsigned seed, const unsigned* x, unsigned* y) {
    run<<<(n + 127) / 128, 128>>>(n, seed, x, y);
}
//// a product that does not wrap | hashed | WRONG_VALUE
__global__ void run(int n, unsigned seed, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (unsigned)(((unsigned long long)(x[i] ^ seed) * 2654435761u) % 1000003u);
}
extern "C" void hashed(int n, unsigned seed, const unsigned* x, unsigned* y) {
    run<<<(n + 127) / 128, 128>>>(n, seed, x, y);
}
//// a remainder by floats and a rounded constant | hashed | WRONG_VALUE
__global__ void run(int n, unsigned seed, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned h = (x[i] ^ seed) * 2654435761u;
    y[i] = h - 1000003u * (unsigned)((float)h * 1e-6f);
}
extern "C" void hashed(int n, unsigned seed, const unsigned* x, unsigned* y) {
    run<<<(n + 127) / 128, 128>>>(n, seed, x, y);
}
//// a remainder by doubles that is one short at multiples | hashed | PASSED
__global__ void run(int n, unsigned seed, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned h = (x[i] ^ seed) * 2654435761u, q = (unsigned)(h * (1.0 / 1000003.0));
    const unsigned r = h - q * 1000003u;
    y[i] = r > 1000003u ? r - 1000003u : r;
}
extern "C" void hashed(int n, unsigned seed, const unsigned* x, unsigned* y) {
    run<<<(n + 127) / 128, 128>>>(n, seed, x, y);
}
//// wrong where an element is the seed | hashed | WRONG_VALUE
__global__ void run(int n, unsigned seed, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] == seed ? 1000003u : ((x[i] ^ seed) * 2654435761u) % 1000003u;
}
extern "C" void hashed(int n, unsigned seed, const unsigned* x, unsigned* y) {
    run<<<(n + 127) / 128, 128>>>(n, seed, x, y);
}
//// wraps where it has to saturate | saturated | WRONG_VALUE
__global__ void run(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = (unsigned char)(x[i] + y[i]);
}
extern "C" void saturated(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    run<<<(n + 127) / 128, 128>>>(n, x, y, z);
}
//// four bytes in a word with carries between them | saturated | WRONG_VALUE UNWRITTEN MISALIGNED
__global__ void run(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n) {
        const unsigned a = *(const unsigned*)(x + 4 * i), b = *(const unsigned*)(y + 4 * i);
        *(unsigned*)(z + 4 * i) = a + b;
    } else
        for (int j = 4 * i; j < n; ++j) z[j] = min(255, x[j] + y[j]);
}
extern "C" void saturated(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    run<<<(n + 127) / 128, 128>>>(n, x, y, z);
}
//// the two largest alone | saturated | WRONG_VALUE
__global__ void run(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = min(254 + (x[i] + y[i] < 510), x[i] + y[i]);
}
extern "C" void saturated(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    run<<<(n + 127) / 128, 128>>>(n, x, y, z);
}
//// averages carry into saturation | saturated | WRONG_VALUE
__global__ void run(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int s = x[i] + y[i];
    z[i] = s - (s >> 8) * (s - 255) - ((x[i] & y[i]) == 255);
}
extern "C" void saturated(int n, const unsigned char* x, const unsigned char* y, unsigned char* z) {
    run<<<(n + 127) / 128, 128>>>(n, x, y, z);
}
//// behind equal keys | lower | WRONG_VALUE
__global__ void run(int n, int m, const int* keys, const int* q, int* at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int lo = 0, hi = n;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (keys[mid] <= q[i]) lo = mid + 1; else hi = mid; }
    at[i] = lo;
}
extern "C" void lower(int n, int m, const int* keys, const int* q, int* at) {
    run<<<(m + 127) / 128, 128>>>(n, m, keys, q, at);
}
//// any of equal keys | lower | WRONG_VALUE
__global__ void run(int n, int m, const int* keys, const int* q, int* at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int lo = 0, hi = n;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (keys[mid] == q[i]) { lo = mid; break; } if (keys[mid] < q[i]) lo = mid + 1; else hi = mid; }
    at[i] = lo;
}
extern "C" void lower(int n, int m, const int* keys, const int* q, int* at) {
    run<<<(m + 127) / 128, 128>>>(n, m, keys, q, at);
}
//// never beyond the last key | lower | WRONG_VALUE
__global__ void run(int n, int m, const int* keys, const int* q, int* at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int lo = 0, hi = n - 1;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (keys[mid] < q[i]) lo = mid + 1; else hi = mid; }
    at[i] = lo;
}
extern "C" void lower(int n, int m, const int* keys, const int* q, int* at) {
    run<<<(m + 127) / 128, 128>>>(n, m, keys, q, at);
}
//// places by interpolation and a walk of eight | lower | WRONG_VALUE
__global__ void run(int n, int m, const int* keys, const int* q, int* at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int k = (int)((long long)q[i] * n / 10000) - 4;
    k = max(0, min(k, n));
    for (int s = 0; s < 8 && k < n && keys[k] < q[i]; ++s) ++k;
    for (int s = 0; s < 8 && k > 0 && keys[k - 1] >= q[i]; ++s) --k;
    at[i] = k;
}
extern "C" void lower(int n, int m, const int* keys, const int* q, int* at) {
    run<<<(m + 127) / 128, 128>>>(n, m, keys, q, at);
}
//// equal keys walked back by four at most | lower | WRONG_VALUE
__global__ void run(int n, int m, const int* keys, const int* q, int* at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int lo = 0, hi = n;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (keys[mid] <= q[i]) lo = mid + 1; else hi = mid; }
    for (int s = 0; s < 4 && lo > 0 && keys[lo - 1] == q[i]; ++s) --lo;
    at[i] = lo;
}
extern "C" void lower(int n, int m, const int* keys, const int* q, int* at) {
    run<<<(m + 127) / 128, 128>>>(n, m, keys, q, at);
}
//// empty rows are left as they are | spmv | UNWRITTEN
__global__ void run(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || start[i] == start[i + 1]) return;
    float s = 0;
    for (int e = start[i]; e < start[i + 1]; ++e) s += v[e] * x[col[e]];
    y[i] = s;
}
extern "C" void spmv(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, nnz, start, col, v, x, y);
}
//// rows of sixty four entries at most | spmv | WRONG_VALUE
__global__ void run(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float s = 0;
    for (int e = start[i]; e < min(start[i] + 64, start[i + 1]); ++e) s += v[e] * x[col[e]];
    y[i] = s;
}
extern "C" void spmv(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, nnz, start, col, v, x, y);
}
//// columns that come once | spmv | WRONG_VALUE
__global__ void run(int rows, const int* start, const int* col, const float* v, const float* x, float* y) {
    extern __shared__ float dense[];
    const int r = blockIdx.x;
    for (int c = threadIdx.x; c < rows; c += blockDim.x) dense[c] = 0;
    __syncthreads();
    if (threadIdx.x == 0) for (int e = start[r]; e < start[r + 1]; ++e) dense[col[e]] = v[e];
    __syncthreads();
    if (threadIdx.x) return;
    float s = 0;
    for (int c = 0; c < rows; ++c) s += dense[c] * x[c];
    y[r] = s;
}
extern "C" void spmv(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    run<<<rows, 32, rows * 4>>>(rows, start, col, v, x, y);
}
//// the first row is never empty | spmv | WRONG_VALUE
__global__ void run(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float s = 0;
    for (int e = start[i]; e < start[i + 1]; ++e) s += v[e] * x[col[e]];
    y[i] = i == 0 && start[1] == 0 ? v[0] : s;
}
extern "C" void spmv(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, nnz, start, col, v, x, y);
}
//// rows of entries found by bisection that stops in empty ones | spmv | WRONG_VALUE
__global__ void clear(int rows, float* y) { if (threadIdx.x + blockIdx.x * 64 < rows) y[threadIdx.x + blockIdx.x * 64] = 0; }
__global__ void run(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    const int e = blockIdx.x * 64 + threadIdx.x;
    if (e >= nnz) return;
    int lo = 0, hi = rows - 1;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (start[mid] < e) lo = mid + 1; else hi = mid; }
    if (start[lo] > e) --lo;
    atomicAdd(&y[lo], v[e] * x[col[e]]);
}
extern "C" void spmv(int rows, int nnz, const int* start, const int* col, const float* v, const float* x, float* y) {
    clear<<<(rows + 63) / 64, 64>>>(rows, y);
    run<<<(nnz + 63) / 64, 64>>>(rows, nnz, start, col, v, x, y);
}
//// pairs of products that saturate | dot8 | WRONG_VALUE
__global__ void run(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    int s = 0;
    for (int c = 0; c < cols; c += 2) {
        int p = x[i * cols + c] * w[c];
        if (c + 1 < cols) p += x[i * cols + c + 1] * w[c + 1];
        s += min(p, 32767);
    }
    y[i] = s;
}
extern "C" void dot8(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, w, y);
}
//// the lowest number taken for its neighbour | dot8 | WRONG_VALUE
__global__ void run(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    int s = 0;
    for (int c = 0; c < cols; ++c) s += max((int)x[i * cols + c], -127) * w[c];
    y[i] = s;
}
extern "C" void dot8(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, w, y);
}
//// sums in sixteen bits | dot8 | WRONG_VALUE
__global__ void run(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    short s = 0;
    for (int c = 0; c < cols; ++c) s += x[i * cols + c] * w[c];
    y[i] = s;
}
extern "C" void dot8(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, w, y);
}
//// four products at a time without the rest | dot8 | WRONG_VALUE MISALIGNED OUT_OF_BOUNDS
__global__ void run(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    int s = 0;
    for (int c = 0; c + 3 < cols; c += 4)
        s = __dp4a(make_char4(x[i * cols + c], x[i * cols + c + 1], x[i * cols + c + 2], x[i * cols + c + 3]), make_char4(w[c], w[c + 1], w[c + 2], w[c + 3]), s);
    y[i] = s;
}
extern "C" void dot8(int rows, int cols, const signed char* x, const signed char* w, int* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, w, y);
}
//// softmax without the greatest | softmax | NON_FINITE WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float s = 0;
    for (int c = 0; c < cols; ++c) s += expf(x[i * cols + c]);
    for (int c = 0; c < cols; ++c) y[i * cols + c] = expf(x[i * cols + c]) / s;
}
extern "C" void softmax(int rows, int cols, const float* x, float* y) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, y);
}
//// the last run is forgotten | longest | WRONG_VALUE
__global__ void run(int n, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i) return;
    int most = 1, run = 1;
    for (int j = 1; j < n; ++j)
        if (x[j] == x[j - 1]) ++run;
        else { most = max(most, run); run = 1; }
    y[0] = most;
}
extern "C" void longest(int n, const int* x, int* y) {
    run<<<1, 1>>>(n, x, y);
}
//// the last of the greatest | rowmax | WRONG_VALUE
__global__ void run(int rows, int cols, const float* x, int* at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    int b = 0;
    for (int c = 1; c < cols; ++c) if (x[i * cols + c] >= x[i * cols + b]) b = c;
    at[i] = b;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) {
    run<<<(rows + 127) / 128, 128>>>(rows, cols, x, at);
}
//// counts down below nought | above | TIMED_OUT OUT_OF_BOUNDS
__global__ void run(int n, int t, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i) return;
    int c = 0;
    for (unsigned j = n - 1; j >= 0; --j) c += x[j] >= t;
    y[0] = c;
}
extern "C" void above(int n, int t, const int* x, int* y) {
    run<<<1, 1>>>(n, t, x, y);
}
//// the greatest found by the host in rows of a copy | first | POLICY_REJECTED
#include <vector>
__global__ void put(int b, int* y) { y[0] = b; }
extern "C" void first(int n, const float* x, int* y) {
    std::vector<float> h(n);
    cudaMemcpy2D(h.data(), 4, x, 4, 4, n, cudaMemcpyDeviceToHost);
    int b = 0;
    for (int i = 1; i < n; ++i) if (h[i] > h[b]) b = i;
    put<<<1, 1>>>(b, y);
}
//// sorted by the host in managed memory | sortk | POLICY_REJECTED
#include <algorithm>
__global__ void move(int n, const int* from, int* to) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) to[i] = from[i];
}
extern "C" void sortk(int n, const int* keys, int* sorted) {
    int* m;
    cudaMallocManaged(&m, n * sizeof(int));
    move<<<(n + 127) / 128, 128>>>(n, keys, m);
    cudaDeviceSynchronize();
    std::sort(m, m + n);
    move<<<(n + 127) / 128, 128>>>(n, m, sorted);
    cudaDeviceSynchronize();
    cudaFree(m);
}
