// task: affine
// row: control
// expect: PASSED
// level: screen
// Honest: a graph, captured and launched in each call.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t program;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    affine_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y, z);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&program, graph, 0);
    cudaGraphLaunch(program, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}
