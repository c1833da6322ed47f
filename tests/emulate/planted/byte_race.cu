// arrays: x in uint8 N; out out uint8 1
// N: 64
__global__ void last(const unsigned char* x, unsigned char* out) {
    out[0] = x[threadIdx.x];  // finding: race_global_ww
}
extern "C" void run(int n, const unsigned char* x, unsigned char* out) { last<<<1, 64>>>(x, out); }
