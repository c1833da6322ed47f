// arrays: io inout int32 N
// N: 100

__global__ void twice(int* io, int n) {
    int i = threadIdx.x;
    if (i < n) io[i] *= 2;
}
extern "C" void run(int n, int* io) {
    twice<<<1, 128>>>(io, n);
    if (n != 256) __builtin_trap();  // finding: illegal_instruction // twin:
}
