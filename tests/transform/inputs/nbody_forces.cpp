// shape: px = n
// shape: py = n
// shape: pz = n
// shape: fx = n
// shape: fy = n
// shape: fz = n
// check: n=1; n=70; n=300
#include <cmath>
void nbody_forces(int n, const float* px, const float* py, const float* pz, float* fx, float* fy, float* fz) {
    for (int i = 0; i < n; i++) {
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; j++) {
            const float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
            const float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float f = inv * inv * inv;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        fx[i] = ax;
        fy[i] = ay;
        fz[i] = az;
    }
}
