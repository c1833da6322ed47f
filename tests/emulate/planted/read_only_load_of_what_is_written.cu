// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void shifted(const float* x, float* kept, float* out) {
    const int i = threadIdx.x;
    kept[i] = 2 * x[i];  // other access
    __syncthreads();
    out[i] = __ldg(&kept[255 - i]);  // finding: race_read_only // twin: out[i] = __ldg(&x[i]) + kept[255 - i];
}
extern "C" void run(int n, const float* x, float* out) {
    float* kept;
    cudaMalloc(&kept, n * sizeof(float));
    shifted<<<1, n>>>(x, kept, out);
    cudaFree(kept);
}
