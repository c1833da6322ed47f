// arrays: x in float32 N; out out float32 1
// N: 64
__global__ void add(const float* a, float* sum) {
    atomicAdd(sum, a[threadIdx.x]);  // finding: uninit_read_global
}
extern "C" void run(int n, const float* x, float* out) { add<<<1, 64>>>(x, out); }
