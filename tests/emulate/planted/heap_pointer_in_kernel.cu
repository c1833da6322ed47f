// arrays: x in float32 N; out out float32 N
// N: 128

#include <cstdlib>
__global__ void add(const float* x, const float* table, float* out) {
    out[threadIdx.x] = x[threadIdx.x] + table[threadIdx.x % 4];  // finding: host_memory_access
}
extern "C" void run(int n, const float* x, float* out) {
    float* table = (float*)malloc(4 * sizeof(float));  // twin: float* table; cudaMallocManaged(&table, 4 * sizeof(float));
    for (int k = 0; k < 4; k++) table[k] = (float)k;
    add<<<1, n>>>(x, table, out);
    cudaDeviceSynchronize();
    free(table);  // twin: cudaFree(table);
}
