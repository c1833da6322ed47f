// Arms: from the hand inwards only its place and its z axis need turning, two vectors in the place of a frame; a warp notes one reach.
#include <cuda_runtime.h>

struct Link { float offset, d, a, alpha; };
struct Hand { float x, y, z, u, v, w; };

// distances are not negative, so that their bit patterns are in order
__device__ void note_reach(float own, float* reach) {
    for (int apart = 16; apart > 0; apart /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(reach), __float_as_int(own));
}

__global__ void pose(int poses, int joints, const Link* link, const float* angle, Hand* hand, float* reach) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0, y = 0, z = 0, u = 0, v = 0, w = 1;
    for (int j = joints - 1; j >= 0 && p < poses; --j) {
        const Link own = link[j];
        const float q = angle[(size_t)p * joints + j] + own.offset;
        const float ca = cosf(own.alpha), sa = sinf(own.alpha), cq = cosf(q), sq = sinf(q);
        const float y1 = ca * y - sa * z, z1 = sa * y + ca * z, v1 = ca * v - sa * w;
        w = sa * v + ca * w;
        x += own.a;
        z = z1 + own.d;
        y = sq * x + cq * y1;
        x = cq * x - sq * y1;
        const float u1 = cq * u - sq * v1;
        v = sq * u + cq * v1;
        u = u1;
    }
    if (p < poses) hand[p] = {x, y, z, u, v, w};
    note_reach(sqrtf(x * x + y * y + z * z), reach);
}

extern "C" void arm_poses(int poses, int joints, const Link* link, const float* angle, Hand* hand, float* reach) {
    cudaMemsetAsync(reach, 0, sizeof(float));
    pose<<<(poses + 127) / 128, 128>>>(poses, joints, link, angle, hand, reach);
}
