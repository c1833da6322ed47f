// arrays: x in float32 N; out out float32 N
// N: 1000
__global__ void twice(const float* a, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i];  // finding: global_oob
    c[i] = v * 2;
}
extern "C" void run(int n, const float* x, float* out) { twice<<<4, 256>>>(x, out, n); }
