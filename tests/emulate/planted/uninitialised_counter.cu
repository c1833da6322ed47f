// arrays: x in int32 N; out out int32 1
// N: 512
__global__ void count(const int* x, int* total) {
    if (x[blockIdx.x * blockDim.x + threadIdx.x] > 50) atomicAdd(total, 1);  // finding: uninit_read_global
}
extern "C" void run(int n, const int* x, int* out) { count<<<n / 128, 128>>>(x, out); }  // twin: extern "C" void run(int n, const int* x, int* out) { cudaMemset(out, 0, sizeof(int)); count<<<n / 128, 128>>>(x, out); }
