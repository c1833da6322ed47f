// arrays: x in float32 N; out out float32 N
// N: 256
// twin warns: write_same_value

__global__ void any_negative(const float* x, int* found) { if (x[threadIdx.x] < 0) *found = 1; }  // other access
__global__ void fill(float* out, float value) { out[threadIdx.x] = value; }
extern "C" void run(int n, const float* x, float* out) {
    int *host, *device;
    cudaEvent_t done;
    cudaEventCreate(&done);
    cudaHostAlloc((void**)&host, sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer((void**)&device, host, 0);
    *host = 0;
    any_negative<<<1, n>>>(x, device);
    cudaEventRecord(done);
    // twin: cudaEventSynchronize(done);
    fill<<<1, n>>>(out, *host);  // finding: host_before_sync
    cudaDeviceSynchronize();
    cudaFreeHost(host);
    cudaEventDestroy(done);
}
