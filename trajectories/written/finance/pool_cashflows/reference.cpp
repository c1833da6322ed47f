// Cash flows of amortising loans, summed by month.
#include <algorithm>

void pool_cashflows(int loans, int months, const long long* balance, const int* rate, const long long* payment,
                    long long* interest_due, long long* principal_paid, int* still_open) {
    std::fill(interest_due, interest_due + months, 0LL);
    std::fill(principal_paid, principal_paid + months, 0LL);
    std::fill(still_open, still_open + months, 0);
    for (int l = 0; l < loans; ++l) {
        long long left = balance[l];
        for (int m = 0; m < months && left > 0; ++m) {
            long long interest = left * rate[l] / 1000000;
            long long principal = std::max(0LL, std::min(left, payment[l] - interest));
            left -= principal;
            interest_due[m] += interest;
            principal_paid[m] += principal;
            still_open[m] += left > 0;
        }
    }
}
