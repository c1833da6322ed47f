// arrays: x in int32 N; out out int32 N
// N: 512
__global__ void sort(const int* x, int* out) {
    __shared__ int values[256];
    values[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int size = 2; size <= 256; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            int other = threadIdx.x ^ distance;
            if (other > threadIdx.x) {
                bool up = (threadIdx.x & size) == 0;
                int a = values[threadIdx.x], b = values[other];
                if ((a > b) == up) {
                    values[threadIdx.x] = b;
                    values[other] = a;
                }
            }
            __syncthreads();
        }
    out[blockIdx.x * 256 + threadIdx.x] = values[threadIdx.x];
}
extern "C" void run(int n, const int* x, int* out) { sort<<<n / 256, 256>>>(x, out); }
