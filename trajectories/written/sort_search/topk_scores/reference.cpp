// The eight highest scores of each row, by insertion into a short sorted list.
#include <cstddef>

void topk_scores(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    const int kept = 8;
    for (int row = 0; row < rows; ++row) {
        float top[kept];
        int* ids = best + (size_t)row * kept;
        int filled = 0;
        for (int k = 0; k < kept; ++k) ids[k] = -1;
        for (int item = 0; item < n; ++item) {
            float s = score[(size_t)row * n + item];
            if (!allowed[item] || (filled == kept && s <= top[kept - 1])) continue;
            int place = filled < kept ? filled++ : kept - 1;
            for (; place > 0 && top[place - 1] < s; --place) {
                top[place] = top[place - 1];
                ids[place] = ids[place - 1];
            }
            top[place] = s;
            ids[place] = item;
        }
    }
}
