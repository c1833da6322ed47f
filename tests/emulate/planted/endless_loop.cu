// arrays: x in int32 N; out out int32 N
// N: 64
// seconds: 2
__global__ void collatz(const int* x, int* out) {
    int steps = 0;
    for (unsigned v = x[threadIdx.x]; v != 1; v = v % 2 ? 3 * v + 1 : v / 2) steps++;  // finding: timeout // twin: for (unsigned v = x[threadIdx.x] + 1; v != 1; v = v % 2 ? 3 * v + 1 : v / 2) steps++;
    out[threadIdx.x] = steps;  // finding: timeout
}
extern "C" void run(int n, const int* x, int* out) {
    cudaMemset((void*)x, 0, 4);  // twin:
    collatz<<<1, n>>>(x, out);
}
