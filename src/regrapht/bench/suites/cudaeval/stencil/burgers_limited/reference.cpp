#include <algorithm>
#include <cmath>
#include <vector>

static float gentler(float a, float b) {
    if (a * b <= 0.0f) return 0.0f;
    return std::fabs(a) < std::fabs(b) ? a : b;
}

// Rusanov's flux of u^2 / 2 between the states on both sides of a face.
static float face_flux(float near, float far) {
    const float speed = std::max(std::fabs(near), std::fabs(far));
    return 0.25f * (near * near + far * far) - 0.5f * speed * (far - near);
}

void burgers_limited(int height, int width, int steps, float courant, float* u) {
    std::vector<float> tilt_x(height * width), tilt_y(height * width), flux_x(height * width), flux_y(height * width);
    for (int step = 0; step < steps; ++step) {
        float fastest = 1e-6f;
        for (int i = 0; i < height * width; ++i) fastest = std::max(fastest, std::fabs(u[i]));
        const float ratio = courant / fastest;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int here = y * width + x, left = y * width + (x + width - 1) % width, right = y * width + (x + 1) % width;
                const int above = (y + height - 1) % height * width + x, below = (y + 1) % height * width + x;
                tilt_x[here] = gentler(u[here] - u[left], u[right] - u[here]);
                tilt_y[here] = gentler(u[here] - u[above], u[below] - u[here]);
            }
        }
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int here = y * width + x, right = y * width + (x + 1) % width, below = (y + 1) % height * width + x;
                flux_x[here] = face_flux(u[here] + 0.5f * tilt_x[here], u[right] - 0.5f * tilt_x[right]);
                flux_y[here] = face_flux(u[here] + 0.5f * tilt_y[here], u[below] - 0.5f * tilt_y[below]);
            }
        }
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int here = y * width + x, left = y * width + (x + width - 1) % width, above = (y + height - 1) % height * width + x;
                u[here] -= ratio * (flux_x[here] - flux_x[left] + flux_y[here] - flux_y[above]);
            }
        }
    }
}
