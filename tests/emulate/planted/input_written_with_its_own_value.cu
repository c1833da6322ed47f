// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void twice(float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
    atomicExch(&x[i], out[i] / 2);  // finding: input_write // twin:
}
extern "C" void run(int n, const float* x, float* out) { twice<<<n / 64, 64>>>((float*)x, out, n); }
