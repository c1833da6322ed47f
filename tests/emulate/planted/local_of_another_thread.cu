// arrays: io inout int32 N
// N: 32

__global__ void neighbours(int* io, int n) {
    __shared__ int* at[32];
    __shared__ int value[32];
    int i = threadIdx.x, mine = io[i];
    value[i] = mine;
    at[i] = &mine;  // twin: at[i] = &value[i];
    __syncthreads();
    io[i] = *at[(i + 1) % n];  // finding: other_threads_local
    __syncthreads();
}
extern "C" void run(int n, int* io) {
    neighbours<<<1, 32>>>(io, n);
}
