#include <algorithm>
#include <cmath>

struct Box { float x0, y0, x1, y1; };

class Plane {
public:
    Plane(const float* cells, int height, int width) : cells_(cells), height_(height), width_(width) {}

    float sample(float y, float x) const
    {
        y = std::min(std::max(y, 0.0f), float(height_ - 1));
        x = std::min(std::max(x, 0.0f), float(width_ - 1));
        const int top = int(y), left = int(x), below = std::min(top + 1, height_ - 1), right = std::min(left + 1, width_ - 1);
        const float fy = y - top, fx = x - left;
        const float upper = (1 - fx) * cells_[top * width_ + left] + fx * cells_[top * width_ + right];
        const float lower = (1 - fx) * cells_[below * width_ + left] + fx * cells_[below * width_ + right];
        return (1 - fy) * upper + fy * lower;
    }

private:
    const float* cells_;
    int height_, width_;
};

void roi_align(int regions, int channels, int height, int width, int out, const float* feature, const Box* region, float* result)
{
    for (int r = 0; r < regions; ++r) {
        const Box& box = region[r];
        const float high = (box.y1 - box.y0) / out, wide = (box.x1 - box.x0) / out;
        for (int c = 0; c < channels; ++c) {
            const Plane plane(feature + (long)c * height * width, height, width);
            for (int i = 0; i < out; ++i) {
                for (int j = 0; j < out; ++j) {
                    float sum = 0;
                    for (float dy : {0.25f, 0.75f})
                        for (float dx : {0.25f, 0.75f}) sum += plane.sample(box.y0 + (i + dy) * high, box.x0 + (j + dx) * wide);
                    *result++ = sum / 4;
                }
            }
        }
    }
}
