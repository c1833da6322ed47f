#include <cstdint>

// Running balance of every account after each entry of a ledger that is sorted by account.
void account_balances(int64_t entries, int accounts, const int32_t* account, const int64_t* opening, const int64_t* amount, int64_t* balance) {
    int64_t running = 0;
    for (int64_t i = 0; i < entries; ++i) {
        if (i == 0 || account[i] != account[i - 1]) running = opening[account[i]];
        running += amount[i];
        balance[i] = running;
    }
}
