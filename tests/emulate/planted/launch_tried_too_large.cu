// arrays: x in float32 N; out out float32 N
// N: 2048

template <class T>
__global__ void twice(const T* x, T* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    twice<<<1, n>>>(x, out);  // finding: launch_refused_handled // twin:
    if (cudaGetLastError() != cudaSuccess) twice<<<n / 256, 256>>>(x, out);
    else twice<<<n / 128, 128>>>(x, out);
}
