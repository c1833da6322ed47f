#include <cmath>
#include <vector>

struct Vec3 {
    float x, y, z;

    Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vec3 operator+(const Vec3& o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vec3 operator*(float f) const { return {x * f, y * f, z * f}; }
    float length() const { return std::sqrt(x * x + y * y + z * z); }
};

class Cloth {
public:
    Cloth(int rows, int cols, const std::vector<Vec3>& place) : rows_(rows), cols_(cols), place_(place) {}

    Vec3 pull(int r, int c, int dr, int dc, float k) const
    {
        if (r + dr < 0 || r + dr >= rows_ || c + dc < 0 || c + dc >= cols_) return {0, 0, 0};
        const Vec3 way = place_[(r + dr) * cols_ + c + dc] - place_[r * cols_ + c];
        return way * (k * (1.0f - 1.0f / (way.length() + 0.01f)));
    }

private:
    int rows_, cols_;
    const std::vector<Vec3>& place_;
};

void cloth_steps(int rows, int cols, int steps, float k, float drag, float dt, Vec3* place, Vec3* speed)
{
    for (int s = 0; s < steps; ++s) {
        const std::vector<Vec3> before(place, place + (long)rows * cols);
        const Cloth cloth(rows, cols, before);
        for (int r = 1; r < rows; ++r) {
            for (int c = 0; c < cols; ++c) {
                const long at = (long)r * cols + c;
                const Vec3 springs = cloth.pull(r, c, 0, 1, k) + cloth.pull(r, c, 0, -1, k) + cloth.pull(r, c, 1, 0, k) + cloth.pull(r, c, -1, 0, k);
                speed[at] = speed[at] + (springs + speed[at] * -drag + Vec3{0, 0, -0.1f}) * dt;
                place[at] = place[at] + speed[at] * dt;
            }
        }
    }
}
