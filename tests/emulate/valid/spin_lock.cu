// arrays: x in int32 N; out out int32 1
// N: 4
// Each of N blocks adds 64 under a lock. Correct, but the protocol cannot be verified: a warning says so.
__global__ void add(int* lock, int* counter) {
    for (int i = 0; i < 32; i++) {
        if ((threadIdx.x & 31) == i) {
            while (atomicCAS(lock, 0, 1) != 0);
            volatile int* v = counter;
            *v = *v + 1;
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}
extern "C" void run(int n, const int* x, int* out) {
    int* lock;
    cudaMalloc(&lock, sizeof(int));
    cudaMemset(lock, 0, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    add<<<n, 64>>>(lock, out);
    cudaFree(lock);
}
