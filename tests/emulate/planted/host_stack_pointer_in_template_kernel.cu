// arrays: x in float32 N; out out float32 N
// N: 32
template <class T>
__global__ void k(const T* a, T* o) {
    o[threadIdx.x] = a[threadIdx.x];  // finding: host_memory_access
}
extern "C" void run(int n, const float* x, float* out) {
    float a[32] = {1};
    k<<<1, 32>>>(a, out);
}
