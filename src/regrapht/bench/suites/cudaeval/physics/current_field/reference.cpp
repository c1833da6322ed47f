#include <cmath>
#include <numeric>

struct Point { float x, y, z; };
struct Wire { float px, py, pz, qx, qy, qz, current; };

static Point cross(const Point& a, const Point& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

void current_field(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest)
{
    *strongest = 0;
    for (int k = 0; k < probes; ++k) {
        double x = 0, y = 0, z = 0;
        for (const Wire* w = wire; w != wire + wires; ++w) {
            const Point d{w->qx - w->px, w->qy - w->py, w->qz - w->pz};
            const Point r{probe[k].x - (w->px + w->qx) / 2, probe[k].y - (w->py + w->qy) / 2, probe[k].z - (w->pz + w->qz) / 2};
            const float away = r.x * r.x + r.y * r.y + r.z * r.z + 0.05f;
            const float share = w->current / (away * std::sqrt(away));
            const Point turn = cross(d, r);
            x += turn.x * share;
            y += turn.y * share;
            z += turn.z * share;
        }
        field[k] = {(float)x, (float)y, (float)z};
        *strongest = std::fmax(*strongest, (float)std::sqrt(x * x + y * y + z * z));
    }
}
