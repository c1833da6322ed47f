// shape: x = n
// shape: y = n
// shape: z = n
// shape: mass = n
// shape: ax = n
// shape: ay = n
// shape: az = n
// check: n=1; n=17; n=70
// random: n=1..90
#include <cmath>

struct Vec3 {
    double x, y, z;
    Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vec3 operator*(double s) const { return Vec3{x * s, y * s, z * s}; }
    Vec3& operator+=(const Vec3& o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    double dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
    double length2() const { return dot(*this); }
};

void gravity(const double* x, const double* y, const double* z, const double* mass, double* ax, double* ay, double* az, int n) {
    for (int i = 0; i < n; i++) {
        const Vec3 here{x[i], y[i], z[i]};
        Vec3 total{0, 0, 0};
        for (int j = 0; j < n; j++) {
            const Vec3 d = Vec3{x[j], y[j], z[j]} - here;
            const double r2 = d.length2() + 0.01;
            total += d * (mass[j] / (r2 * std::sqrt(r2)));
        }
        ax[i] = total.x;
        ay[i] = total.y;
        az[i] = total.z;
    }
}
