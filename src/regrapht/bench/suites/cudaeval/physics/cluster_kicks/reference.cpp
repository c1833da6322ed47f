#include <cmath>
#include <vector>

struct Vec {
    double x, y, z;
    Vec& operator+=(const Vec& o) { x += o.x; y += o.y; z += o.z; return *this; }
};
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(double f, const Vec& a) { return {f * a.x, f * a.y, f * a.z}; }
inline double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

void cluster_kicks(int stars, int steps, double dt, double soft, const double* mass, Vec* place, Vec* velocity, double* potential)
{
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < stars; ++i) {
            Vec pull{0, 0, 0};
            for (int j = 0; j < stars; ++j) {
                const Vec way = place[j] - place[i];
                const double r2 = dot(way, way) + soft * soft;
                pull += mass[j] / (r2 * std::sqrt(r2)) * way;
            }
            velocity[i] += dt * pull;
        }
        for (int i = 0; i < stars; ++i) place[i] += dt * velocity[i];
    }
    *potential = 0;
    for (int i = 0; i < stars; ++i) {
        for (int j = i + 1; j < stars; ++j) {
            const Vec way = place[j] - place[i];
            *potential -= mass[i] * mass[j] / std::sqrt(dot(way, way) + soft * soft);
        }
    }
}
