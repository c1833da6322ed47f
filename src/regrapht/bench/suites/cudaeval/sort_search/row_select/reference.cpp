#include <cstdint>
#include <vector>

static int32_t selected(int32_t* value, int low, int high, int wanted) {
    while (low < high) {
        const int32_t pivot = value[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot) ++i;
            while (value[j] > pivot) --j;
            if (i <= j) {
                const int32_t kept = value[i];
                value[i++] = value[j];
                value[j--] = kept;
            }
        }
        if (wanted <= j) high = j;
        else if (wanted >= i) low = i;
        else break;
    }
    return value[wanted];
}

// Order statistic number wanted[r] (from 0) of each row, by Hoare's selection on a copy.
void row_select(int rows, int length, const int32_t* table, const int32_t* wanted, int32_t* found) {
    std::vector<int32_t> work(length);
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < length; ++k) work[k] = table[(int64_t)r * length + k];
        found[r] = selected(work.data(), 0, length - 1, wanted[r]);
    }
}
