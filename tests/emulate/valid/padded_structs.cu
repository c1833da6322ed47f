// arrays: x in int64 N; out out int64 3
// N: 512
// Structs whose last bytes are padding go through shared memory, dynamic shared memory and device memory: nobody writes the padding.
struct Total {
    long long sum;
    int count;
};
struct alignas(16) Mixed {
    Total total[2];
    char first;
    short last;
};
__device__ Total joined(const Total& a, const Total& b) { return {a.sum + b.sum, a.count + b.count}; }
__device__ Total nothing(long long sum) { return {sum, 0}; }
__global__ void totals(const long long* x, int n, Total* partial) {
    __shared__ Total part[64];
    extern __shared__ Total again[];
    const int me = threadIdx.x;
    part[me] = nothing(0);
    for (int i = blockIdx.x * 64 + me; i < n; i += gridDim.x * 64) part[me] = joined(part[me], {x[i], 1});
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (me < half) part[me] = joined(part[me], part[me + half]);
        __syncthreads();
    }
    again[me] = part[0];
    __syncthreads();
    if (me == 0) partial[blockIdx.x] = again[63];
}
__global__ void last(const Total* partial, int blocks, Mixed* mixed) {
    Total all = nothing(0);
    for (int b = 0; b < blocks; b++) all = joined(all, partial[b]);
    Mixed* m = mixed + threadIdx.x;
    m->first = 7, m->last = 9, m->total[0] = all, m->total[1] = nothing(5);
}
__global__ void told(const Mixed* mixed, long long* out) {
    const Mixed copy = mixed[2];
    out[0] = copy.total[0].sum, out[1] = copy.total[0].count, out[2] = copy.total[1].sum + copy.first + copy.last;
}
extern "C" void run(int n, const long long* x, long long* out) {
    Total* partial;
    Mixed* mixed;
    cudaMalloc(&partial, 4 * sizeof(Total));
    cudaMalloc((void**)&mixed, 3 * sizeof(Mixed));
    void* untyped;
    size_t as_number = 0;
    cudaMalloc(reinterpret_cast<void**>(&untyped), 8);
    cudaMalloc((void**)(size_t)&as_number, 8);
    cudaFree(untyped);
    cudaFree((void*)as_number);
    totals<<<4, 64, 64 * sizeof(Total)>>>(x, n, partial);
    last<<<1, 3>>>(partial, 4, mixed);
    told<<<1, 1>>>(mixed, out);
    cudaFree(partial);
    cudaFree(mixed);
}
