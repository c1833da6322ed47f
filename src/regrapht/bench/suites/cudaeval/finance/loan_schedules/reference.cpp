#include <algorithm>
#include <cstdint>

class Loan {
public:
    Loan(int64_t debt, int rate, int64_t payment) : debt_(debt), rate_(rate), payment_(payment) {}

    void month(bool pays)
    {
        const int64_t grown = (debt_ * rate_ + 60000) / 120000;
        interest_ += grown;
        debt_ += grown;
        if (pays) debt_ -= std::min(payment_, debt_);
        worst_ = std::max(worst_, debt_);
    }

    int64_t debt() const { return debt_; }
    int64_t interest() const { return interest_; }
    int64_t worst() const { return worst_; }

private:
    int64_t debt_, rate_, payment_, interest_ = 0, worst_ = 0;
};

void loan_schedules(int loans, int months, const int32_t* rate, const int32_t* payment, const int32_t* holiday, int64_t* debt, int32_t* month, int64_t* interest,
                    int64_t* worst)
{
    *worst = 0;
    for (int i = 0; i < loans; ++i) {
        Loan loan(debt[i], rate[i], payment[i]);
        month[i] = 0;
        for (int m = 1; m <= months; ++m) {
            loan.month(m > holiday[i]);
            if (loan.debt() == 0 && month[i] == 0) month[i] = m;
        }
        debt[i] = loan.debt();
        interest[i] = loan.interest();
        *worst = std::max(*worst, loan.worst());
    }
}
