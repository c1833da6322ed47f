// arrays: x in float32 N; out out float32 N
// N: 64

#include <stdexcept>
__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
static void require(bool good) {
    if (!good) throw std::runtime_error("not good");  // finding: aborted
}
extern "C" void run(int n, const float* x, float* out) {
    copy<<<1, n>>>(x, out);
    require(n < 10);  // twin: require(n > 10);
}
