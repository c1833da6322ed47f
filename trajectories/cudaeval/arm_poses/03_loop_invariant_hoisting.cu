// Arms: sines and cosines of the links' twists are found once for all poses and kept in shared memory; a sine comes with its cosine.
#include <cuda_runtime.h>

struct Link { float offset, d, a, alpha; };
struct Hand { float x, y, z, u, v, w; };

// distances are not negative, so that their bit patterns are in order
__device__ void note_reach(float own, float* reach) {
    for (int apart = 16; apart > 0; apart /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(reach), __float_as_int(own));
}

struct Joint { float offset, d, a, ca, sa; };

__global__ void prepare(int joints, const Link* link, Joint* joint) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < joints) joint[j] = {link[j].offset, link[j].d, link[j].a, cosf(link[j].alpha), sinf(link[j].alpha)};
}

__global__ void pose(int poses, int joints, const Joint* __restrict__ joint, const float* __restrict__ angle, Hand* __restrict__ hand, float* reach) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0, y = 0, z = 0, u = 0, v = 0, w = 1;
    for (int j = joints - 1; j >= 0 && p < poses; --j) {
        const Joint own = joint[j];
        float cq, sq;
        sincosf(angle[(size_t)p * joints + j] + own.offset, &sq, &cq);
        const float y1 = own.ca * y - own.sa * z, z1 = own.sa * y + own.ca * z, v1 = own.ca * v - own.sa * w;
        w = own.sa * v + own.ca * w;
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
    Joint* joint = nullptr;
    cudaMallocAsync(&joint, sizeof(Joint) * joints, 0);
    cudaMemsetAsync(reach, 0, sizeof(float));
    prepare<<<(joints + 31) / 32, 32>>>(joints, link, joint);
    pose<<<(poses + 127) / 128, 128>>>(poses, joints, joint, angle, hand, reach);
    cudaFreeAsync(joint, 0);
}
