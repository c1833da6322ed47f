// Insertion sort of each row's list, by falling score and rising document number.
#include <cstddef>

void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    for (int row = 0; row < rows; ++row) {
        int* s = score + (size_t)row * width;
        int* d = doc + (size_t)row * width;
        for (int i = 1; i < length[row]; ++i) {
            int the_score = s[i], the_doc = d[i], j = i;
            while (j > 0 && (s[j - 1] < the_score || (s[j - 1] == the_score && d[j - 1] > the_doc))) {
                s[j] = s[j - 1];
                d[j] = d[j - 1];
                --j;
            }
            s[j] = the_score;
            d[j] = the_doc;
        }
    }
}
