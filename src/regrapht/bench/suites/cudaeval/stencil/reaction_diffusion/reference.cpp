#include <cstdint>
#include <vector>

// Gray-Scott reaction and diffusion of two substances on a periodic grid, explicit steps.
void reaction_diffusion(int height, int width, int steps, float feed, float kill, float* u, float* v) {
    const int64_t cells = (int64_t)height * width;
    std::vector<float> next_u(cells), next_v(cells);
    for (int step = 0; step < steps; ++step) {
        for (int y = 0; y < height; ++y) {
            const int64_t up = (int64_t)((y + height - 1) % height) * width;
            const int64_t row = (int64_t)y * width;
            const int64_t down = (int64_t)((y + 1) % height) * width;
            for (int x = 0; x < width; ++x) {
                const int left = (x + width - 1) % width, right = (x + 1) % width;
                const float a = u[row + x], b = v[row + x];
                const float flow_u = u[up + x] + u[down + x] + u[row + left] + u[row + right] - 4.0f * a;
                const float flow_v = v[up + x] + v[down + x] + v[row + left] + v[row + right] - 4.0f * b;
                const float reaction = a * b * b;
                next_u[row + x] = a + 0.16f * flow_u - reaction + feed * (1.0f - a);
                next_v[row + x] = b + 0.08f * flow_v + reaction - (feed + kill) * b;
            }
        }
        for (int64_t i = 0; i < cells; ++i) {
            u[i] = next_u[i];
            v[i] = next_v[i];
        }
    }
}
