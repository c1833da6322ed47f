// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void copy(const float* x, float* host) { host[threadIdx.x] = x[threadIdx.x]; }  // other access
__global__ void fill(float* out, float value) { out[threadIdx.x] = value; }
extern "C" void run(int n, const float* x, float* out) {
    static float host[256];
    float* device;
    cudaHostRegister(host, sizeof host, cudaHostRegisterMapped);
    cudaHostGetDevicePointer((void**)&device, host, 0);
    copy<<<1, n>>>(x, device);
    // twin: cudaDeviceSynchronize();
    fill<<<1, n>>>(out, host[3]);  // finding: host_before_sync
    cudaDeviceSynchronize();
    cudaHostUnregister(host);
}
