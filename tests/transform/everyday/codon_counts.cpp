// shape: sequence = n
// shape: counts = 64
// init: sequence = ints(0, 4)
// check: n=3; n=50; n=400
// random: n=3..500
#include <algorithm>

namespace bio {
namespace {
enum Base { A, C, G, T };
inline int code(const unsigned char* s) { return (s[0] << 4) | (s[1] << 2) | s[2]; }
}  // namespace

void codon_counts(const unsigned char* sequence, int* counts, int n) {
    std::fill(counts, counts + 64, 0);
    for (int i = 0; i + 2 < n; i += 3) ++counts[code(sequence + i)];
}
}  // namespace bio

using bio::codon_counts;
