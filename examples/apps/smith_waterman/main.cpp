#include "align.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

int main(int argc, char** argv) {
  int pairs = 0, length = 0, band = 0;
  std::ifstream in(argc > 1 ? argv[1] : "");
  if (!(in >> pairs >> length >> band) || band > 64) {
    std::fprintf(stderr, "usage: smith_waterman INPUT, a file with: pairs, length, band (64 at most)\n");
    return 2;
  }
  const sw::Sequences queries = sw::random_sequences(pairs, length, 17);
  std::vector<int> best(pairs), equal(pairs), words(64);
  for (int one_in = 4; one_in <= 32; one_in *= 2) {
    const sw::Sequences targets = sw::mutated(queries, one_in, 23);
    sw::align_pairs(queries, targets, sw::Scoring(), band, best);
    sw::identities(queries, targets, equal);
    std::printf("one in %2d: total %lld highest %d above half %d identities %lld\n", one_in, sw::total(best), sw::highest(best),
                sw::above(best, 5 * length / 2), sw::total(equal));
  }
  sw::count_words(queries, words);
  for (int w = 0; w < 64; w += 9) std::printf("%d ", words[w]);
  std::printf("\n");
}
