// arrays: x in float32 N; out out float32 N
// N: 300
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t error = (call);                                                       \
        if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));    \
    } while (0)
// Host code as people write it: exceptions, containers, a static object with a destructor.
static std::vector<float> cache;
__global__ void add(const float* x, float* y, int n, float amount) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + amount;
}
static float amount_from(const std::string& text) {
    try {
        return std::stof(text);
    } catch (const std::exception&) {
        return 1.0f;
    }
}
extern "C" void run(int n, const float* x, float* out) {
    std::map<std::string, float> amounts{{"a", amount_from("none")}};
    cache.assign(n, amounts["a"]);
    add<<<(n + 63) / 64, 64>>>(x, out, n, cache[0]);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (cache.empty()) std::cerr << "never" << std::endl;
}
