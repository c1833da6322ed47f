// arrays: x in float32 N; out out float32 N
// N: 100
template <int B> __global__ void k(int n, const float* x, float* z, float more) { for (int i = blockIdx.x * B + threadIdx.x; i < n; i += B * gridDim.x) z[i] += x[i] * more; }
__global__ void clear(int n, const float*, float* z, float) { for (int i = threadIdx.x; i < n; i += blockDim.x) z[i] = 0; }
using Kernel = void (*)(int, const float*, float*, float);
struct Entry { Kernel kernel; int block; };
static Kernel pick(int i) { return i ? k<32> : clear; }
extern "C" void run(int n, const float* x, float* out) {
    static const Kernel table[] = {k<32>, k<64>};
    const Entry entry{k<128>, 128};
    float more = 1;
    void* args[] = {&n, &x, &out, &more};
    cudaLaunchKernel(reinterpret_cast<const void*>(pick(0)), dim3(1), dim3(32), args, 0, nullptr);
    cudaLaunchKernel((const void*)table[1], dim3(2), dim3(64), args, 0, nullptr);
    cudaLaunchKernel((void*)entry.kernel, dim3(1), dim3(entry.block), args, 0, nullptr);
    const void* lost = (void*)k<32>;
    cudaLaunchKernel((void*)lost, dim3(1), dim3(32), args, 0, nullptr);
}
