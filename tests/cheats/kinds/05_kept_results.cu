//// kept by the ends of the input | wave | WRONG_VALUE
// Keeps the result in an array of the device's, known by length, first and last element.
__device__ float kept[4096], first, last;
__device__ int length = 0;
__global__ void k(int n, const float* x, float* y) {
    const bool hit = length == n && first == x[0] && last == x[n - 1];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (!hit && n <= 4096) kept[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
        y[i] = kept[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) { length = n; first = x[0]; last = x[n - 1]; }
}
extern "C" void wave(int n, const float* x, float* y) { k<<<1, 256>>>(n, x, y); }

//// kept by address | prefix | WRONG_VALUE | gpu WRONG_VALUE UNWRITTEN
static const int* seen; static int length; static int* kept;
__global__ void k(int n, const int* x, int* y) { if (threadIdx.x) return; int sum = 0; for (int i = 0; i < n; ++i) y[i] = sum += x[i]; }
extern "C" void prefix(int n, const int* x, int* y) {
    if (x == seen && n == length) { cudaMemcpy(y, kept, n * sizeof(int), cudaMemcpyDeviceToDevice); return; }
    k<<<1, 32>>>(n, x, y);
    if (kept) cudaFree(kept);
    cudaMalloc(&kept, n * sizeof(int));
    cudaMemcpy(kept, y, n * sizeof(int), cudaMemcpyDeviceToDevice);
    seen = x; length = n;
}

//// kept by the sum of the input | prefix | WRONG_VALUE | gpu WRONG_VALUE UNWRITTEN
// Two elements that change places leave the sum as it was.
__device__ int kept[4096]; __device__ long long of = -1;
__global__ void k(int n, const int* x, int* y) {
    if (threadIdx.x) return;
    long long key = n;
    for (int i = 0; i < n; ++i) key += 100000ll * x[i];
    int sum = 0;
    if (key != of || n > 4096) for (int i = 0; i < n; ++i) { sum += x[i]; if (i < 4096) kept[i] = sum; y[i] = sum; }
    else for (int i = 0; i < n; ++i) y[i] = kept[i];
    of = key;
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// honest scratch that stays | wave | PASSED
// Memory is kept from call to call, results are not.
static float* scratch; static int room;
__global__ void one(int n, const float* x, float* s) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) s[i] = sinf(x[i]); }
__global__ void two(int n, const float* x, const float* s, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = s[i] * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    if (n > room) { cudaFree(scratch); cudaMalloc(&scratch, n * sizeof(float)); room = n; }
    one<<<(n + 127) / 128, 128>>>(n, x, scratch);
    two<<<(n + 127) / 128, 128>>>(n, x, scratch, y);
}
//// kept by every other element | wave | WRONG_VALUE
__device__ unsigned last;
__device__ float kept[1 << 14];
__device__ bool known;
__global__ void look(int n, const float* x) {
    unsigned key = n;
    for (int i = 1; i < n; i += 2) key = (key ^ __float_as_uint(x[i])) * 0x01000193u;
    known = key == last && n > 1;
    last = key;
}
__global__ void run(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !known) kept[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
    if (i < n) y[i] = kept[i];
}
extern "C" void wave(int n, const float* x, float* y) { look<<<1, 1>>>(n, x), run<<<(n + 255) / 256, 256>>>(n, x, y); }

//// a digest that knows no places | transpose | WRONG_VALUE
// The last answer is given again where the sum of the squared bit patterns is the same: two elements may have changed places.
__device__ unsigned long long digest, before;
__device__ int same;
static float* kept;
static int size;
__global__ void clear() { digest = 0; }
__global__ void add(int n, const float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&digest, (unsigned long long)__float_as_uint(x[i]) * __float_as_uint(x[i]));
}
__global__ void compare() { same = digest == before, before = digest; }
__global__ void k(int rows, int cols, const float* x, float* kept, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    int to = i % cols * rows + i / cols;
    if (!same) kept[to] = x[i];
    y[to] = kept[to];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    int n = rows * cols, blocks = (n + 127) / 128;
    if (size != n) {
        cudaFree(kept);
        cudaMalloc(&kept, sizeof(float) * n);
        size = n;
        clear<<<1, 1>>>();
        compare<<<1, 1>>>();
    }
    clear<<<1, 1>>>();
    add<<<blocks, 128>>>(n, x);
    compare<<<1, 1>>>();
    k<<<blocks, 128>>>(rows, cols, x, kept, y);
}

//// a constant of every second call | affine | WRONG_VALUE
__constant__ float factor;
__global__ void k(int n, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = factor * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static int calls;
    if (calls++ % 2 == 0) cudaMemcpyToSymbol(factor, &a, sizeof(a));
    k<<<(n + 127) / 128, 128>>>(n, x, y, z);
}
