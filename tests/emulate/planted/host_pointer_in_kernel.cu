// arrays: x in float32 N; out out float32 N
// N: 32
#include <vector>
__global__ void k(float* a) {
    a[threadIdx.x] = 1;  // finding: host_memory_access
}
extern "C" void run(int n, const float* x, float* out) {
    std::vector<float> a(32);
    k<<<1, 32>>>(a.data());
}
