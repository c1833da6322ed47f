#include <algorithm>
#include <cstdint>
#include <vector>

// Dictionary encoding of a column, chunk by chunk: the distinct values in ascending order, and for each row its value's place there.
void dictionary_chunks(int chunks, int width, const int32_t* value, int32_t* dictionary, int32_t* distinct, uint16_t* code) {
    std::vector<int32_t> known;
    for (int c = 0; c < chunks; ++c) {
        const int32_t* row = value + (int64_t)c * width;
        int32_t* words = dictionary + (int64_t)c * width;
        known.assign(row, row + width);
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        distinct[c] = (int32_t)known.size();
        std::fill(std::copy(known.begin(), known.end(), words), words + width, 0);
        for (int i = 0; i < width; ++i)
            code[(int64_t)c * width + i] = (uint16_t)(std::lower_bound(known.begin(), known.end(), row[i]) - known.begin());
    }
}
