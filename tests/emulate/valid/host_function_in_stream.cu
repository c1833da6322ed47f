// arrays: x in int32 N; out out int32 N
// N: 256
// A host function between two transfers of one stream.
struct Work {
    int* values;
    int count;
};
static void CUDART_CB reverse(void* data) {
    Work* work = (Work*)data;
    for (int i = 0; i < work->count / 2; i++) {
        int kept = work->values[i];
        work->values[i] = work->values[work->count - 1 - i];
        work->values[work->count - 1 - i] = kept;
    }
}
__global__ void add_one(int* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i]++;
}
extern "C" void run(int n, const int* x, int* out) {
    Work work;
    work.count = n;
    cudaMallocHost((void**)&work.values, n * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(work.values, x, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, reverse, &work);
    cudaMemcpyAsync(out, work.values, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    add_one<<<1, 256, 0, stream>>>(out, n);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(work.values);
}
