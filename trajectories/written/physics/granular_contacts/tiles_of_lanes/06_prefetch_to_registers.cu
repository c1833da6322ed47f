// Contact forces: packed grains, eight lanes per grain, table entries loaded four rounds ahead.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kTeam = 8;   // lanes per grain
constexpr int kAhead = 4;  // table entries that a lane loads before it uses the first

__device__ float team_sum(const cg::thread_block_tile<kTeam>& team, float value) {
    for (int distance = kTeam / 2; distance > 0; distance /= 2) value += team.shfl_xor(value, distance);
    return value;
}

struct __align__(16) Grain {
    float4 place;   // position and radius
    float4 motion;  // velocity
};

__global__ void pack(int grains, const float* position, const float* velocity, const float* radius, Grain* packed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= grains) return;
    packed[i].place = make_float4(position[3 * i], position[3 * i + 1], position[3 * i + 2], radius[i]);
    packed[i].motion = make_float4(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2], 0.0f);
}

__global__ void contacts(int grains, int count, float stiffness, float damping, const Grain* packed,
                         const int* neighbour, float* force) {
    auto team = cg::tiled_partition<kTeam>(cg::this_thread_block());
    int i = (blockIdx.x * kThreads + threadIdx.x) / kTeam;
    if (i >= grains) return;  // the whole team leaves
    const float4 own = packed[i].place, moving = packed[i].motion;
    float tx = 0.0f, ty = 0.0f, tz = 0.0f;
    for (int first = 0; first < count; first += kTeam * kAhead) {
        int named[kAhead];
#pragma unroll
        for (int a = 0; a < kAhead; ++a) {
            int k = first + a * kTeam + (int)team.thread_rank();
            named[a] = k < count ? neighbour[(size_t)i * count + k] : -1;
        }
#pragma unroll
        for (int a = 0; a < kAhead; ++a) {
            int j = named[a] < 0 ? i : named[a];  // a grain pushes itself by nothing: d is zero
            const float4 place = packed[j].place, motion = packed[j].motion;
            float dx = place.x - own.x, dy = place.y - own.y, dz = place.z - own.z;
            float square = dx * dx + dy * dy + dz * dz + 1e-6f;
            float inverse = rsqrtf(square);
            float overlap = fmaxf(own.w + place.w - square * inverse, 0.0f);
            float du = motion.x - moving.x, dv = motion.y - moving.y, dw = motion.z - moving.z;
            float approach = (du * dx + dv * dy + dw * dz) * inverse;
            float push = (stiffness - damping * approach) * overlap * inverse;
            tx -= push * dx;
            ty -= push * dy;
            tz -= push * dz;
        }
    }
    tx = team_sum(team, tx);
    ty = team_sum(team, ty);
    tz = team_sum(team, tz);
    if (team.thread_rank() == 0) {
        force[3 * i] = tx;
        force[3 * i + 1] = ty;
        force[3 * i + 2] = tz;
    }
}

extern "C" void granular_contacts(int grains, int count, float stiffness, float damping, const float* position,
                                  const float* velocity, const float* radius, const int* neighbour, float* force) {
    Grain* packed = nullptr;
    cudaMalloc(&packed, (size_t)grains * sizeof(Grain));
    pack<<<(grains - 1) / kThreads + 1, kThreads>>>(grains, position, velocity, radius, packed);
    const int per_block = kThreads / kTeam;
    contacts<<<(grains - 1) / per_block + 1, kThreads>>>(grains, count, stiffness, damping, packed, neighbour, force);
    cudaFree(packed);
}
