#include <vector>

struct Plane {
    int cols;
    float *cell;
    float &operator()(int y, int x) { return cell[(long)y * cols + x]; }
};

void fdtd_steps(int rows, int cols, int steps, float c, const float *e, float *hx, float *hy, float *ez)
{
    Plane magnetic_x{cols, hx}, magnetic_y{cols, hy}, electric{cols, ez};
    for (int s = 0; s < steps; s++) {
        for (int y = 0; y < rows; y++) {
            for (int x = 0; x < cols; x++) {
                if (y + 1 < rows)
                    magnetic_x(y, x) -= c * (electric(y + 1, x) - electric(y, x));
                if (x + 1 < cols)
                    magnetic_y(y, x) += c * (electric(y, x + 1) - electric(y, x));
            }
        }
        for (int y = 1; y < rows - 1; y++)
            for (int x = 1; x < cols - 1; x++)
                electric(y, x) += e[(long)y * cols + x]
                    * (magnetic_y(y, x) - magnetic_y(y, x - 1) - magnetic_x(y, x) + magnetic_x(y - 1, x));
    }
}
