// arrays: x in float32 N; out out float32 N
// N: 200
// A sparse matrix in compressed rows, made on the device; a warp a row.
__global__ void fill(int* starts, int* columns, float* values, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > n) return;
    starts[row] = 5 * row;
    if (row < n)
        for (int k = 0; k < 5; k++) {
            columns[5 * row + k] = (row * 7 + k * k * 11) % n;
            values[5 * row + k] = 1.0f / (k + 1);
        }
}
__global__ void multiply(const int* starts, const int* columns, const float* values, const float* x, float* out, int n) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0) out[row] = sum;
}
extern "C" void run(int n, const float* x, float* out) {
    int *starts, *columns;
    float* values;
    cudaMalloc(&starts, (n + 1) * sizeof(int));
    cudaMalloc(&columns, 5 * n * sizeof(int));
    cudaMalloc(&values, 5 * n * sizeof(float));
    fill<<<(n + 128) / 128, 128>>>(starts, columns, values, n);
    multiply<<<(n + 3) / 4, 128>>>(starts, columns, values, x, out, n);
    cudaFree(starts);
    cudaFree(columns);
    cudaFree(values);
}
