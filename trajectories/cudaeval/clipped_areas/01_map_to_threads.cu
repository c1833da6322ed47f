// Shared areas of turned rectangles: a thread a pair.
#include <cuda_runtime.h>

constexpr int kThreads = 128, kNumbers = 5;

struct Polygon {
    float2 corner[8];
    int corners;
};

__device__ Polygon rectangle(const float* box) {
    float s, c;
    sincosf(box[4], &s, &c);
    const float w = 0.5f * box[2], h = 0.5f * box[3];
    Polygon out;
    out.corners = 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float u = i == 0 || i == 3 ? -w : w, v = i < 2 ? -h : h;
        out.corner[i] = make_float2(box[0] + c * u - s * v, box[1] + s * u + c * v);
    }
    return out;
}

__device__ Polygon cut(const Polygon& from, float2 a, float2 b) {
    Polygon kept;
    kept.corners = 0;
    for (int i = 0; i < from.corners; ++i) {
        const float2 p = from.corner[i], q = from.corner[i + 1 < from.corners ? i + 1 : 0];
        const float sp = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        const float sq = (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x);
        if (sp >= 0.0f) kept.corner[kept.corners++] = p;
        if ((sp >= 0.0f) != (sq >= 0.0f)) {
            const float part = sp / (sp - sq);
            kept.corner[kept.corners++] = make_float2(p.x + part * (q.x - p.x), p.y + part * (q.y - p.y));
        }
    }
    return kept;
}

__device__ float shared_area(const float* a, const float* b) {
    Polygon left = rectangle(a);
    const Polygon clip = rectangle(b);
    for (int side = 0; side < 4 && left.corners > 0; ++side) left = cut(left, clip.corner[side], clip.corner[(side + 1) % 4]);
    float twice = 0.0f;
    for (int k = 0; k + 2 < left.corners; ++k) {
        const float2 o = left.corner[0], p = left.corner[k + 1], q = left.corner[k + 2];
        twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
    }
    return 0.5f * twice;
}

__global__ void clip_pairs(int pairs, const float* first, const float* second, float* shared) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < pairs) shared[i] = shared_area(first + kNumbers * i, second + kNumbers * i);
}

extern "C" void clipped_areas(int pairs, const float* first, const float* second, float* shared) {
    clip_pairs<<<(pairs - 1) / kThreads + 1, kThreads>>>(pairs, first, second, shared);
}
