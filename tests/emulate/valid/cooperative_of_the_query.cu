// arrays: x in int32 N; out out int64 2
// N: 5000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// As many blocks as the occupancy query allows wait for each other; shared memory makes them 8 a multiprocessor.
__global__ void sum(const int* x, int n, long long* partial, long long* out) {
    extern __shared__ int tile[];
    cg::grid_group grid = cg::this_grid();
    tile[threadIdx.x] = 0;
    for (unsigned i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) tile[threadIdx.x] += x[i];
    const int total = __reduce_add_sync(0xffffffff, tile[threadIdx.x]);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
    grid.sync();
    if (grid.thread_rank() == 0) {
        long long all = 0;
        for (unsigned b = 0; b < gridDim.x; b++) all += partial[b];
        out[0] = all, out[1] = gridDim.x;
    }
}
extern "C" void run(int n, const int* x, long long* out) {
    const size_t bytes = 27 << 10;
    int a_processor = 0, processors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_processor, sum, 32, bytes);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    long long* partial;
    cudaMalloc(&partial, a_processor * processors * sizeof(long long));
    void* arguments[] = {&x, &n, &partial, &out};
    cudaLaunchCooperativeKernel((void*)sum, dim3(a_processor * processors), dim3(32), arguments, bytes, 0);
    cudaFree(partial);
}
