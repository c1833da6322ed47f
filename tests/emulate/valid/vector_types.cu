// arrays: x in float32 12*N; out out float32 12*N
// N: 100
// float2, float3 and int4 loads, built-in constructors, a struct with its own alignment.
struct __align__(16) Particle {
    float3 place;
    float mass;
};
__global__ void turn(const Particle* x, Particle* out, const float2* pairs, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle p = x[i];
    float2 q = pairs[2 * i];
    out[i].place = make_float3(p.place.z + q.x, p.place.x, p.place.y);
    out[i].mass = p.mass * 2;
}
__global__ void bits(const int4* x, int4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_int4(x[i].w, x[i].z, x[i].y, x[i].x);
}
extern "C" void run(int n, const float* x, float* out) {
    turn<<<(2 * n + 63) / 64, 64>>>((const Particle*)x, (Particle*)out, (const float2*)x, 2 * n);
    bits<<<(n + 63) / 64, 64>>>((const int4*)(x + 8 * n), (int4*)(out + 8 * n), n);
}
