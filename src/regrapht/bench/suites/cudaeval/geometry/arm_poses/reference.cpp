#include <algorithm>
#include <array>
#include <cmath>

struct Link { float offset, d, a, alpha; };
struct Hand { float x, y, z, u, v, w; };

class Frame {
public:
    void turn_z(float q) { mix(0, 1, std::cos(q), std::sin(q)); }
    void turn_x(float q) { mix(1, 2, std::cos(q), std::sin(q)); }
    void move(int axis, float by)
    {
        for (int r = 0; r < 3; ++r) m_[r][3] += m_[r][axis] * by;
    }
    Hand hand() const { return {m_[0][3], m_[1][3], m_[2][3], m_[0][2], m_[1][2], m_[2][2]}; }

private:
    void mix(int first, int second, float c, float s)
    {
        for (auto& row : m_) {
            const float p = row[first], q = row[second];
            row[first] = c * p + s * q;
            row[second] = c * q - s * p;
        }
    }

    std::array<std::array<float, 4>, 3> m_{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
};

void arm_poses(int poses, int joints, const Link* link, const float* angle, Hand* hand, float* reach)
{
    *reach = 0;
    for (int p = 0; p < poses; ++p) {
        Frame frame;
        for (int j = 0; j < joints; ++j) {
            frame.turn_z(angle[(long)p * joints + j] + link[j].offset);
            frame.move(2, link[j].d);
            frame.move(0, link[j].a);
            frame.turn_x(link[j].alpha);
        }
        hand[p] = frame.hand();
        *reach = std::max(*reach, std::sqrt(hand[p].x * hand[p].x + hand[p].y * hand[p].y + hand[p].z * hand[p].z));
    }
}
