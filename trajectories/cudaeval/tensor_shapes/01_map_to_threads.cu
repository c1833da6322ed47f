// Eigenvalues of symmetric 3 x 3 matrices: one thread a matrix.
#include <cuda_runtime.h>

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

__global__ void decompose(int n, const double* tensor, double* value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) eigenvalues(tensor + 6LL * i, value + 3LL * i);
}

extern "C" void tensor_shapes(int n, const double* tensor, double* value) {
    if (n > 0) decompose<<<(n + 127) / 128, 128>>>(n, tensor, value);
}
