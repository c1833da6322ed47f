// arrays: io inout int32 N
// N: 100

__global__ void share(int* io, int n, int parts) {
    int i = threadIdx.x;
    if (i < n) io[i] = i / parts;  // finding: divided_by_zero
}
extern "C" void run(int n, int* io) {
    share<<<1, 128>>>(io, n, n / 200);  // twin: share<<<1, 128>>>(io, n, n / 20);
}
