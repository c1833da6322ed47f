#include <vector>

class FactorMachine {
public:
    FactorMachine(float bias, const float* linear, const float* factor, int factors) : bias_(bias), linear_(linear), factor_(factor), sums_(factors), squares_(factors) {}

    void clear()
    {
        total_ = bias_;
        sums_.assign(sums_.size(), 0);
        squares_.assign(squares_.size(), 0);
    }

    void add(int column, float value)
    {
        total_ += (double)linear_[column] * value;
        for (std::size_t f = 0; f < sums_.size(); ++f) {
            const double part = (double)factor_[column * sums_.size() + f] * value;
            sums_[f] += part;
            squares_[f] += part * part;
        }
    }

    float score() const
    {
        double pairs = 0;
        for (std::size_t f = 0; f < sums_.size(); ++f) pairs += sums_[f] * sums_[f] - squares_[f];
        return (float)(total_ + pairs / 2);
    }

private:
    double bias_, total_ = 0;
    const float *linear_, *factor_;
    std::vector<double> sums_, squares_;
};

void factor_machine(int rows, int entries, int columns, int factors, float bias, const int* start, const int* column, const float* value, const float* linear,
                    const float* factor, float* score, int* chosen)
{
    (void)entries;
    (void)columns;
    FactorMachine machine(bias, linear, factor, factors);
    *chosen = 0;
    for (int r = 0; r < rows; ++r) {
        machine.clear();
        for (int k = start[r]; k < start[r + 1]; ++k) machine.add(column[k], value[k]);
        score[r] = machine.score();
        if (start[r] == start[r + 1]) ++*chosen;
    }
}
