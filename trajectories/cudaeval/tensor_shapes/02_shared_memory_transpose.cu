// Eigenvalues of symmetric 3 x 3 matrices: a block's matrices pass through shared memory, so that global memory is read and written in one
// contiguous stretch. Rows of seven doubles keep neighbouring threads in different banks.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// One Jacobi rotation: pp and qq on the diagonal, pq becomes zero, po and qo are the entries with the third index.
__device__ void rotate(double& pp, double& qq, double& pq, double& po, double& qo) {
    double theta = (qq - pp) / (2.0 * pq), t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c, a = po, b = qo;
    pp -= t * pq;
    qq += t * pq;
    pq = 0.0;
    po = c * a - s * b;
    qo = s * a + c * b;
}

__device__ void eigenvalues(const double* m, double* value) {
    double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = m[5];
    for (;;) {
        double largest = fmax(fabs(xy), fmax(fabs(xz), fabs(yz)));
        if (largest <= 1e-12 * (fabs(xx) + fabs(yy) + fabs(zz)) || largest < 1e-200) break;
        if (fabs(xy) == largest) rotate(xx, yy, xy, xz, yz);
        else if (fabs(xz) == largest) rotate(xx, zz, xz, xy, yz);
        else rotate(yy, zz, yz, xy, xz);
    }
    value[0] = fmax(xx, fmax(yy, zz));
    value[2] = fmin(xx, fmin(yy, zz));
    value[1] = fmax(fmin(xx, yy), fmin(fmax(xx, yy), zz));
}

__global__ void decompose(int n, const double* __restrict__ tensor, double* __restrict__ value) {
    __shared__ double tile[kThreads * 7];
    int first = blockIdx.x * kThreads, count = min(kThreads, n - first);
    for (int i = threadIdx.x; i < 6 * count; i += kThreads) tile[i / 6 * 7 + i % 6] = tensor[6LL * first + i];
    __syncthreads();
    double own[3];
    if (threadIdx.x < count) eigenvalues(tile + 7 * threadIdx.x, own);
    __syncthreads();
    if (threadIdx.x < count)
        for (int k = 0; k < 3; ++k) tile[3 * threadIdx.x + k] = own[k];
    __syncthreads();
    for (int i = threadIdx.x; i < 3 * count; i += kThreads) value[3LL * first + i] = tile[i];
}

extern "C" void tensor_shapes(int n, const double* tensor, double* value) {
    if (n > 0) decompose<<<(n + kThreads - 1) / kThreads, kThreads>>>(n, tensor, value);
}
