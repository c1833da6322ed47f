// arrays: x in float32 N; out out float32 N
// N: 512
// __constant__ and __device__ variables, written whole, in part and through their address.
struct Line {
    float slope, offset;
};
__constant__ Line lines[4];
__constant__ int shift = 3;
namespace scratch {
__device__ float sums[4];
}
__device__ int launches;
__global__ void apply(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) launches += 1;
    if (i < n) {
        const Line& line = lines[(i >> shift) % 4];
        out[i] = line.slope * x[i] + line.offset;
    }
}
__global__ void finish(float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] += scratch::sums[i % 4] + launches;
}
extern "C" void run(int n, const float* x, float* out) {
    Line host[4];
    for (int k = 0; k < 4; k++) host[k] = Line{1.0f + k, 0.5f * k};
    cudaMemcpyToSymbol(lines, host, 2 * sizeof(Line));
    cudaMemcpyToSymbol(lines, host + 2, 2 * sizeof(Line), 2 * sizeof(Line));
    int three = 3, none = 0, seen = 0;
    cudaMemcpyToSymbol(shift, &three, sizeof three);
    cudaMemcpyToSymbol(launches, &none, sizeof none);
    float* sums;
    size_t bytes;
    cudaGetSymbolAddress((void**)&sums, scratch::sums);
    cudaGetSymbolSize(&bytes, scratch::sums);
    cudaMemset(sums, 0, bytes);
    apply<<<(n + 127) / 128, 128>>>(x, out, n);
    cudaMemcpyFromSymbol(&seen, launches, sizeof seen);
    if (seen == 1) finish<<<1, 512>>>(out, n);
}
