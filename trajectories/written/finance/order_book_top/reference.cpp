// Best bid after each message of limit order books with 256 price levels.
#include <algorithm>
#include <cstddef>
#include <vector>

void order_book_top(int instruments, int messages, const unsigned char* level, const int* change, short* best) {
    std::vector<int> quantity(256);
    for (int i = 0; i < instruments; ++i) {
        std::fill(quantity.begin(), quantity.end(), 0);
        int top = -1;
        const size_t first = (size_t)i * messages;
        for (size_t m = first; m < first + messages; ++m) {
            int& changed = quantity[level[m]];
            changed = std::max(0, changed + change[m]);
            top = std::max(top, (int)level[m]);
            while (top >= 0 && quantity[top] == 0) --top;
            best[m] = (short)top;
        }
    }
}
