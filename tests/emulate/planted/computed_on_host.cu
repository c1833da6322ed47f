// arrays: x in float32 N; out out float32 N
// N: 4000
#include <vector>
// The kernel does nothing; the host does the work.
__global__ void idle() {}
extern "C" void run(int n, const float* x, float* out) {
    std::vector<float> host(n);
    cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) host[i] = 2 * host[i] + 1;
    cudaMemcpy(out, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // finding: computed_on_host // twin: cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
    idle<<<1, 1>>>();
}
