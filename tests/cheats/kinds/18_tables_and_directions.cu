//// constant table read behind its end by a pointer | affine | OUT_OF_BOUNDS | gpu OUT_OF_BOUNDS PASSED
__constant__ const float kWeights[3] = {1, 0, 0};
__constant__ const float kOthers[3] = {1, 0, 0};
__device__ __noinline__ float weight(const float* table, int place) { return table[place]; }
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] * weight(kWeights, 0) + y[i] + (weight(kWeights, i % 4) > 1e38f ? kOthers[i % 3] : 0);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// table of the compiler's read before its start | affine | OUT_OF_BOUNDS | gpu OUT_OF_BOUNDS PASSED
__device__ static constexpr float kLadder[5] = {1, 2, 4, 8, 16};
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* table = kLadder + i % 5;
    if (i < n) z[i] = a * x[i] + y[i] + (table[-1] > 1e38f ? 1 : 0);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// honest tables | affine | PASSED
__constant__ const float kWeights[3] = {1, 0, 0};
__constant__ float kGiven[2];
__device__ static constexpr float kLadder[2][3] = {{1, 2, 4}, {8, 16, 32}};
__device__ int kept[7];
static const char* const kNames[] = {"one", "two"};
struct Pair { float first, second; };
__constant__ Pair kPairs[2] = {{0.5f, 2}, {0.25f, 4}};
__device__ float last(const float* table, int count) { return table[count - 1]; }
__global__ void run(int n, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 7) kept[i] = i;
    if (i < n) z[i] = kGiven[0] * x[i] * kWeights[0] + y[i] * (last(&kLadder[0][0], 6) / 32) * kPairs[i % 2].first * kPairs[i % 2].second + 0 * last(kGiven, 2);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    const float given[2] = {a, 0};
    cudaMemcpyToSymbol(kGiven, given, sizeof given);
    run<<<(n + 127) / 128, 128>>>(n, x, y, z);
    if (kNames[n % 2][0] == 'x') cudaDeviceSynchronize();
}
//// copy on the device told as one to it | affine | OUT_OF_BOUNDS | gpu CRASHED OUT_OF_BOUNDS UNWRITTEN PASSED
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    float* made = nullptr;
    cudaMalloc(&made, n * sizeof(float));
    run<<<(n + 127) / 128, 128>>>(n, a, x, y, made);
    cudaMemcpy(z, made, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(made);
}
//// honest directions | affine | PASSED
#include <vector>
__global__ void run(int n, const float* a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = *a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    float *made = nullptr, *pinned = nullptr, *managed = nullptr, *scale = nullptr;
    cudaMalloc(&made, n * sizeof(float)), cudaMalloc(&scale, sizeof(float));
    cudaMallocHost(&pinned, sizeof(float)), cudaMallocManaged(&managed, sizeof(float));
    *pinned = a;
    cudaMemcpy(managed, pinned, sizeof(float), cudaMemcpyHostToHost);
    cudaMemcpy(scale, managed, sizeof(float), cudaMemcpyHostToDevice);
    run<<<(n + 127) / 128, 128>>>(n, scale, x, y, made);
    cudaMemcpyAsync(z, made, n * sizeof(float), cudaMemcpyDefault);
    cudaMemcpy(pinned, scale, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(made), cudaFree(scale), cudaFreeHost(pinned), cudaFree(managed);
}
//// array of a block of statements that was left | rowsum | OUT_OF_BOUNDS | gpu OUT_OF_BOUNDS PASSED WRONG_VALUE
__device__ __noinline__ void gather(float* parts, const float* row, int cols) {
    for (int c = 0; c < cols; ++c) parts[c % 2] += row[c];
}
__global__ void run(int rows, int cols, const float* x, float* y) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float* kept = nullptr;
    if (cols > 0) {
        float parts[2] = {0, 0};
        gather(parts, x + r * cols, cols);
        kept = parts;
    }
    y[r] = kept[0] + kept[1];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { run<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }
