#include <cmath>

struct Sphere { float x, y, z, radius; };
struct Hit { float depth; int which; };

// Rays run along z from z = 0; for each the nearest sphere in front of it and where it is struck. Depth -1 and sphere -1: none.
void nearest_sphere(int rays, int spheres, const float* at_x, const float* at_y, const Sphere* scene, Hit* hits) {
    for (int r = 0; r < rays; r++) {
        Hit best = {-1.0f, -1};
        for (int s = 0; s < spheres; s++) {
            const Sphere ball = scene[s];
            const float dx = at_x[r] - ball.x, dy = at_y[r] - ball.y;
            const float rest = ball.radius * ball.radius - dx * dx - dy * dy;
            if (rest < 0.0f) continue;
            const float depth = ball.z - std::sqrt(rest);
            if (depth < 0.0f) continue;
            if (best.which < 0 || depth < best.depth) {
                best.depth = depth;
                best.which = s;
            }
        }
        hits[r] = best;
    }
}
