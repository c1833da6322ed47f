// arrays: x in float32 N; out out float32 N
// N: 500
#include <vector>
// Scratch on both sides, a transfer each way, memcpy of a struct in the kernel.
struct Pair {
    float a, b;
};
__global__ void swap(Pair* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Pair mine;
    memcpy(&mine, &p[i], sizeof(Pair));
    p[i] = Pair{mine.b, mine.a};
}
extern "C" void run(int n, const float* x, float* out) {
    std::vector<float> host(n);
    Pair* device;
    cudaMalloc((void**)&device, n * sizeof(float));
    cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    swap<<<(n / 2 + 31) / 32, 32>>>(device, n / 2);
    cudaMemcpy(out, device, n * sizeof(float), cudaMemcpyDefault);
    cudaFree(device);
}
