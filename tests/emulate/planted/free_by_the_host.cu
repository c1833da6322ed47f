// arrays: x in float32 N; out out float32 N
// N: 64

#include <cstdlib>
__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
extern "C" void run(int n, const float* x, float* out) {
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    copy<<<1, n>>>(x, scratch);
    copy<<<1, n>>>(scratch, out);
    free(scratch);  // finding: wrong_free // twin: cudaFree(scratch);
}
