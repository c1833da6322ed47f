#include "align.h"

#include <algorithm>

namespace sw {

const int MOST_BAND = 64;

/* Only a band around the diagonal is filled: cell (i, j) with |i - j| < band.  Row by row, so that one row of each matrix is
   all there is to keep; place k of a row is j = i + k - band. */
void align_pairs(const Sequences& queries, const Sequences& targets, const Scoring& s, int band, std::vector<int>& best) {
  const int n = queries.length;
  const int width = 2 * band + 1;
  for (int pair = 0; pair < queries.count; ++pair) {
    int h[2 * MOST_BAND + 2], e[2 * MOST_BAND + 2];
    for (int k = 0; k <= width; ++k) {
      h[k] = 0;
      e[k] = -1000000;
    }
    int most = 0;
    for (int i = 0; i < n; ++i) {
      const int letter = queries.letters[pair * n + i];
      int f = -1000000, left = 0;
      for (int k = 0; k < width; ++k) {
        const int j = i + k - band;
        int value = 0;
        if (j >= 0 && j < n) {
          const int diagonal = h[k];
          const int up = h[k + 1];
          const int score = letter == targets.letters[pair * n + j] ? s.match : s.mismatch;
          e[k] = std::max(e[k + 1] - s.extend, up - s.open);
          f = std::max(f - s.extend, left - s.open);
          value = std::max(std::max(0, diagonal + score), std::max(e[k], f));
        }
        h[k] = value;
        left = value;
        most = std::max(most, value);
      }
    }
    best[pair] = most;
  }
}

}  // namespace sw
