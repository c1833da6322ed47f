#include <cstdint>

// Boyer and Moore's vote: pairs of unlike votes cancel, and only a majority can be left; a second look counts it.
void majority_votes(int polls, int votes, const int32_t* vote, int32_t* winner, int32_t* lead) {
    for (int r = 0; r < polls; ++r, vote += votes) {
        int32_t left = -1;
        int surplus = 0;
        for (int k = 0; k < votes; ++k) {
            if (surplus == 0) left = vote[k];
            surplus += vote[k] == left ? 1 : -1;
        }
        int count = 0;
        for (int k = 0; k < votes; ++k) count += vote[k] == left;
        const bool won = 2 * count > votes;
        winner[r] = won ? left : -1;
        lead[r] = won ? 2 * count - votes : 0;
    }
}
