// arrays: x in float32 N; out out float32 N
// N: 1024

template <class T, int kThreads>
__global__ void __launch_bounds__(kThreads / 2, 2) twice(const T* x, T* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    twice<float, 512><<<n / 256, 256>>>(x, out);
    twice<float, 256><<<n / 256, 256>>>(x, out);  // finding: launch_bounds_exceeded // twin:
}
