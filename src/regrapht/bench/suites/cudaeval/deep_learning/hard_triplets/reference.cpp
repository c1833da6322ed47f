#include <algorithm>
#include <cstdint>
#include <limits>

class Batch {
public:
    Batch(int parts, const int8_t* embedding, const int32_t* label) : parts_(parts), embedding_(embedding), label_(label) {}

    bool alike(int i, int j) const { return label_[i] == label_[j]; }
    int distance(int i, int j) const
    {
        int sum = 0;
        for (int p = 0; p < parts_; ++p) {
            const int d = embedding_[(long)i * parts_ + p] - embedding_[(long)j * parts_ + p];
            sum += d * d;
        }
        return sum;
    }

private:
    int parts_;
    const int8_t* embedding_;
    const int32_t* label_;
};

void hard_triplets(int rows, int parts, int labels, int32_t margin, const int8_t* embedding, const int32_t* label, int32_t* positive, int32_t* negative,
                   int64_t* loss, int32_t* active)
{
    (void)labels;
    const Batch batch(parts, embedding, label);
    *loss = 0;
    *active = 0;
    for (int i = 0; i < rows; ++i) {
        int far = -1, near = std::numeric_limits<int>::max();
        positive[i] = negative[i] = -1;
        for (int j = 0; j < rows; ++j) {
            if (j == i) continue;
            const int d = batch.distance(i, j);
            if (batch.alike(i, j) && d > far) {
                far = d;
                positive[i] = j;
            } else if (!batch.alike(i, j) && d < near) {
                near = d;
                negative[i] = j;
            }
        }
        if (positive[i] < 0 || negative[i] < 0) continue;
        const int64_t own = std::max<int64_t>(0, (int64_t)far - near + margin);
        *loss += own;
        *active += own > 0;
    }
}
