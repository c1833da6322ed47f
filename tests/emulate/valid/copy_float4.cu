// arrays: x in float32 N; out out float32 N
// N: 8192
__global__ void twice(const float* __restrict__ in, float* __restrict__ out, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        float4 v = reinterpret_cast<const float4*>(in)[i];
        v.x *= 2.f;
        v.y *= 2.f;
        v.z *= 2.f;
        v.w *= 2.f;
        reinterpret_cast<float4*>(out)[i] = v;
    }
}
extern "C" void run(int n, const float* x, float* out) { twice<<<(n / 4 + 127) / 128, 128>>>(x, out, n / 4); }
