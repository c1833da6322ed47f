// arrays: x in int32 N; out out int32 3*(N/64)
// N: 256
__global__ void votes(const int* x, int* out) {
    int v = x[blockIdx.x * blockDim.x + threadIdx.x];
    int large = __syncthreads_count(v > 60), every = __syncthreads_and(v < 100), some = __syncthreads_or(v == 7);
    if (threadIdx.x == 0) {
        out[3 * blockIdx.x] = large;
        out[3 * blockIdx.x + 1] = every != 0;
        out[3 * blockIdx.x + 2] = some != 0;
    }
}
extern "C" void run(int n, const int* x, int* out) { votes<<<n / 64, 64>>>(x, out); }
