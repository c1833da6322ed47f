#include <algorithm>
#include <cstdint>

struct Account {
    int64_t balance = 0, worst = 0;

    Account& book(int64_t cents)
    {
        balance += cents;
        worst = std::min(worst, balance);
        return *this;
    }
};

void ledger_runs(int entries, const uint8_t* first, const int64_t* amount, int64_t* balance, int64_t* worst, int64_t* overdrawn)
{
    Account open;
    int64_t below = 0;
    for (int i = 0; i < entries; ++i) {
        if (first[i]) open = Account();
        open.book(amount[i]);
        balance[i] = open.balance;
        worst[i] = open.worst;
        if (open.balance < 0) ++below;
    }
    *overdrawn = below;
}
