#include <cstddef>
#include <vector>

namespace {

// Lower envelope of the parabolas (x - i)^2 + up[i]^2 along a row: parabola `at[k]` is the lowest from x = from[k] on.
class Envelope {
public:
    void build(int width, const int* up) {
        width_ = width;
        at_.resize(width);
        from_.resize(width);
        up_ = up;
        last_ = -1;
        for (int i = 0; i < width_; ++i) {
            while (last_ >= 0 && height(from_[last_], at_[last_]) > height(from_[last_], i)) --last_;
            if (last_ < 0) {
                push(i, 0);
            } else {
                int start = 1 + crossing(at_[last_], i);
                if (start < width_) push(i, start);
            }
        }
    }

    void read(int* squared) {
        for (int x = width_ - 1; x >= 0; --x) {
            squared[x] = height(x, at_[last_]);
            if (x == from_[last_]) --last_;
        }
    }

private:
    int height(int x, int i) const { return (x - i) * (x - i) + up_[i] * up_[i]; }

    // The last x at which parabola i is not above the later one j.
    int crossing(int i, int j) const { return (j * j - i * i + up_[j] * up_[j] - up_[i] * up_[i]) / (2 * (j - i)); }

    void push(int i, int start) {
        ++last_;
        at_[last_] = i;
        from_[last_] = start;
    }

    int width_ = 0, last_ = -1;
    const int* up_ = nullptr;
    std::vector<int> at_, from_;
};

}  // namespace

void distance_map(int height, int width, const int* label, int* squared) {
    std::vector<int> up((size_t)height * width);
    const int far = height + width;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const size_t at = (size_t)y * width + x;
            const int above = y > 0 ? up[at - width] : far;
            up[at] = label[at] == 0 ? 0 : above < far ? above + 1 : far;
        }
    }
    for (int y = height - 2; y >= 0; --y) {
        for (int x = 0; x < width; ++x) {
            const size_t at = (size_t)y * width + x;
            if (up[at + width] + 1 < up[at]) up[at] = up[at + width] + 1;
        }
    }
    Envelope envelope;
    for (int y = 0; y < height; ++y) {
        envelope.build(width, &up[(size_t)y * width]);
        envelope.read(squared + (size_t)y * width);
    }
}
