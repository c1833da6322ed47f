// Direct summation of the Coulomb potential on one plane of a grid.
#include <cmath>
#include <cstddef>

void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            float sum = 0.0f;
            for (int a = 0; a < atoms; ++a) {
                float dx = x * spacing - atom[4 * a];
                float dy = y * spacing - atom[4 * a + 1];
                float dz = atom[4 * a + 2];
                sum += atom[4 * a + 3] / std::sqrt(dx * dx + dy * dy + dz * dz);
            }
            potential[(size_t)y * width + x] = sum;
        }
    }
}
