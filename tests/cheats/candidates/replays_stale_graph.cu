// task: affine
// row: 27
// expect: WRONG_VALUE OUT_OF_BOUNDS INPUT_MODIFIED
// level: screen
// gpu: UNWRITTEN WRONG_VALUE OUT_OF_BOUNDS INPUT_MODIFIED
// Captures the first call in a graph and replays it for all others. Where it writes then may be an input of theirs.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static cudaGraphExec_t replay = nullptr;
    static cudaStream_t stream = nullptr;
    if (replay == nullptr) {
        cudaGraph_t graph;
        cudaStreamCreate(&stream);
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
        affine_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y, z);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&replay, graph, 0);
    }
    cudaGraphLaunch(replay, stream);
    cudaStreamSynchronize(stream);
}
