#include "align.h"

namespace sw {

void identities(const Sequences& queries, const Sequences& targets, std::vector<int>& equal) {
  for (int pair = 0; pair < queries.count; ++pair) {
    int same = 0;
    for (int i = 0; i < queries.length; ++i)
      if (queries.letters[pair * queries.length + i] == targets.letters[pair * queries.length + i]) ++same;
    equal[pair] = same;
  }
}

void count_words(const Sequences& sequences, std::vector<int>& counts) {
  for (int w = 0; w < 64; ++w) counts[w] = 0;
  for (int s = 0; s < sequences.count; ++s)
    for (int i = 0; i + 2 < sequences.length; ++i) {
      const int at = s * sequences.length + i;
      const int word = 16 * sequences.letters[at] + 4 * sequences.letters[at + 1] + sequences.letters[at + 2];
      counts[word] += 1;
    }
}

int highest(const std::vector<int>& scores) {
  int most = scores[0];
  for (int score : scores)
    if (score > most) most = score;
  return most;
}

long long total(const std::vector<int>& scores) {
  long long sum = 0;
  for (int score : scores) sum += score;
  return sum;
}

int above(const std::vector<int>& scores, int threshold) {
  int found = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) found += scores[i] > threshold;
  return found;
}

}  // namespace sw
