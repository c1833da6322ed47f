// arrays: x in float32 N; out out float32 N
// N: 600
// A graph with a fork, a join and a transfer, captured once and launched three times.
__global__ void add(const float* a, float* b, int n, float amount) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i] + amount;
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t main, side;
    cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEvent_t fork, join;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    float *left, *right;
    cudaMalloc(&left, n * sizeof(float));
    cudaMalloc(&right, n * sizeof(float));
    cudaMemset(out, 0, n * sizeof(float));
    cudaDeviceSynchronize();
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(left, 0, n * sizeof(float), main);
    cudaEventRecord(fork, main);
    cudaStreamWaitEvent(side, fork, 0);
    cudaMemcpyAsync(right, x, n * sizeof(float), cudaMemcpyDeviceToDevice, side);
    add<<<(n + 127) / 128, 128, 0, main>>>(x, left, n, 1.0f);
    cudaEventRecord(join, side);
    cudaStreamWaitEvent(main, join, 0);
    add<<<(n + 127) / 128, 128, 0, main>>>(left, right, n, 0.5f);
    add<<<(n + 127) / 128, 128, 0, main>>>(right, out, n, 0.0f);
    cudaStreamEndCapture(main, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    for (int k = 0; k < 3; k++) cudaGraphLaunch(ready, main);
    cudaStreamSynchronize(main);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(main);
    cudaStreamDestroy(side);
    cudaFree(left);
    cudaFree(right);
}
