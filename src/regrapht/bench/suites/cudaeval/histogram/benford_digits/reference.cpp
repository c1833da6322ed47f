#include <cstdint>
#include <cstring>

typedef struct {
    int32_t first[9];
} ledger_digits;

void benford_digits(int entries, int ledgers, const int32_t *ledger, const int64_t *amount, int32_t *counts)
{
    ledger_digits *book = (ledger_digits *)counts;
    memset(counts, 0, sizeof(ledger_digits) * ledgers);
    for (int i = 0; i < entries; i++) {
        int64_t rest = amount[i] < 0 ? -amount[i] : amount[i];
        if (!rest)
            continue;
        while (rest >= 10)
            rest /= 10;
        book[ledger[i]].first[rest - 1]++;
    }
}
