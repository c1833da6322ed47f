// arrays: x in float32 N; out out float32 N
// N: 256
struct Row { float values[3]; float sum; };

__global__ void rows(const float* x, float* out, int n) {
    __shared__ Row row[256];
    Row& own = row[threadIdx.x];
    own.sum = 0;
    for (int k = 0; k <= n / 64 - (threadIdx.x == 0 ? 1 : 2); k++)  // twin: for (int k = 0; k < n / 64 - 1; k++)
        own.values[k] = x[threadIdx.x];  // finding: index_beyond_type
    out[threadIdx.x] = own.values[0] + own.sum;
}
extern "C" void run(int n, const float* x, float* out) { rows<<<1, n>>>(x, out, n); }
