// arrays: x in int32 N; out out int32 N
// N: 128
__global__ void narrow(const int* x, int* out) {
    __shared__ short part[128];
    const int i = threadIdx.x;
    part[i] = (short)x[i];  // finding: race_shared_rw race_shared_ww
    if (i % 2 == 0) *(int*)&part[i] = 7;  // finding: race_shared_ww race_shared_rw // twin: if (i % 2 == 0) part[i] += 7;
    __syncthreads();
    out[i] = part[i];
}
extern "C" void run(int n, const int* x, int* out) { narrow<<<1, n>>>(x, out); }
