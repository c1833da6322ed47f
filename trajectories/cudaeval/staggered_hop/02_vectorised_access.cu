// Staggered hop: a complex number is one 8-byte load, and a vector is read once a direction.
#include <cuda_runtime.h>

struct alignas(8) Complex {
    float re, im;
};

__device__ void add_product(Complex& sum, float factor, Complex a, Complex b) {
    sum.re += factor * (a.re * b.re - a.im * b.im);
    sum.im += factor * (a.re * b.im + a.im * b.re);
}

__global__ void hop(int sites, int side, int depth, const Complex* link, const Complex* psi, Complex* hopped) {
    const int site = blockIdx.x * blockDim.x + threadIdx.x;
    if (site >= sites) return;
    Complex out[3] = {};
    int stride = 1, parity = 0;
    for (int mu = 0; mu < 4; ++mu) {
        const int extent = mu < 3 ? side : depth, x = site / stride % extent;
        const int up = x + 1 < extent ? site + stride : site - stride * x, down = x > 0 ? site - stride : site + stride * (extent - 1);
        const float eta = parity % 2 ? -0.5f : 0.5f;
        const Complex *ahead = link + 9 * (4 * (size_t)site + mu), *behind = link + 9 * (4 * (size_t)down + mu);
#pragma unroll
        for (int c = 0; c < 3; ++c) {
            const Complex next = psi[3 * (size_t)up + c], last = psi[3 * (size_t)down + c];
#pragma unroll
            for (int r = 0; r < 3; ++r) {
                add_product(out[r], eta, ahead[3 * r + c], next);
                const Complex back = behind[3 * c + r];
                add_product(out[r], -eta, {back.re, -back.im}, last);
            }
        }
        parity += x;
        stride *= extent;
    }
    for (int r = 0; r < 3; ++r) hopped[3 * (size_t)site + r] = out[r];
}

extern "C" void staggered_hop(int side, int depth, const float* link, const float* psi, float* hopped) {
    const int sites = side * side * side * depth;
    hop<<<(sites + 127) / 128, 128>>>(sites, side, depth, reinterpret_cast<const Complex*>(link), reinterpret_cast<const Complex*>(psi),
                                      reinterpret_cast<Complex*>(hopped));
}
